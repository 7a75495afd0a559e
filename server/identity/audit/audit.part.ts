import type { QuietPart } from "../part";
import { auditRoutes } from "./audit.routes";

/** Who changed what. */
export const auditPart: QuietPart<object, typeof auditRoutes> = { name: "audit log", routes: [auditRoutes] };
