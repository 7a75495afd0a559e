import type { QuietPart } from "../../identity/part";
import { statementRoutes } from "./statements.routes";

/** Earnings and spend by month. */
export const statementsPart: QuietPart<object, typeof statementRoutes> = {
  name: "statements",
  routes: [statementRoutes],
};
