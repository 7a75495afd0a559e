import type { QuietPart } from "../../../identity/part";
import { secretEventKinds } from "./secret.events";
import { SECRET_QUOTAS } from "./secrets.quotas";
import { secretRoutes } from "./secrets.routes";
import { secretTools } from "./secrets.tools";

export const secretsPart: QuietPart<object, typeof secretRoutes> = {
  name: "secrets",
  routes: [secretRoutes],
  tools: secretTools,
  eventKinds: secretEventKinds,
  quotas: Object.values(SECRET_QUOTAS),
};
