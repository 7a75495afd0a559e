import type { QuietPart } from "../../identity/part";
import { userRoutes } from "./users.routes";

/** Stored data about publishers' users. */
export const usersPart: QuietPart<object, typeof userRoutes> = { name: "users", routes: [userRoutes] };
