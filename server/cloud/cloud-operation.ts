import { operationsOf } from "../operation/operation";
import type { CloudCtx } from "./cloud-ctx";

/** Declares an operation on cloud objects, which is called with a platform key, a session token or a session. */
export const operation = operationsOf<CloudCtx>("cloud");
