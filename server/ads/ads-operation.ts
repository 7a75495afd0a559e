import { operationsOf } from "../operation/operation";

/**
 * Declares an operation on ads resources, which is called with a platform key, a session token or a session. Its context
 * names what it uses of the parts; the list of parts provides it.
 */
export const operation = operationsOf<never>("ads");
