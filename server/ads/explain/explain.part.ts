import type { QuietPart } from "../../identity/part";
import { explainRoutes } from "./explain.routes";
import { explainTools } from "./explain.tools";

/** Why offers are shown or left out. */
export const explainPart: QuietPart<object, typeof explainRoutes> = {
  name: "explain",
  routes: [explainRoutes],
  tools: explainTools,
};
