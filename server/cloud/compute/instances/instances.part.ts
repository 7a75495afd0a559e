import type { QuietPart } from "../../../identity/part";
import { instanceRoutes } from "./instances.routes";

export const instancesPart: QuietPart<object> = { name: "instances", routes: [instanceRoutes] };
