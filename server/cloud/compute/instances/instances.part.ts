import type { QuietPart } from "../../../identity/part";
import { instanceRoutes } from "./instances.routes";

export const instancesPart: QuietPart<object, typeof instanceRoutes> = { name: "instances", routes: [instanceRoutes] };
