import type { QuietPart } from "../../identity/part";
import { attentionRoutes } from "./attention.routes";

/** What keeps channels and campaigns from serving. */
export const attentionPart: QuietPart<object, typeof attentionRoutes> = {
  name: "attention",
  routes: [attentionRoutes],
};
