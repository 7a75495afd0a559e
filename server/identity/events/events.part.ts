import type { QuietPart } from "../part";
import { eventRoutes } from "./events.routes";

/** What happened, as webhooks deliver it. */
export const eventsPart: QuietPart<object, typeof eventRoutes> = { name: "events", routes: [eventRoutes] };
