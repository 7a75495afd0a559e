import { operationsOf } from "../operation/operation";
import type { AdsCtx } from "./ads-ctx";

/** Declares an operation on ads resources, which is called with a platform key, a session token or a session. */
export const operation = operationsOf<AdsCtx>("ads");
