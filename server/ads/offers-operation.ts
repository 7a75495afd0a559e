import { operationsOf } from "../operation/operation";

/**
 * Declares an operation of the offers API, which is called with a channel key or by anyone who has an offer's id. Its
 * context names what it uses of the parts, of the visitor and of the channel whose key was sent.
 */
export const operation = operationsOf<never>("offers");
