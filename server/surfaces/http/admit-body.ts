import type { IncomingMessage, ServerResponse } from "node:http";
import { clientOf, isLoopbackAddress } from "../../identity/address-hash";
import type { ByteBudget } from "../../kernel/byte-budget";
import { hasBody } from "./bound-body";

/** The largest JSON body, one of chat; longer ones are uploads that are never in memory as a whole. */
const COUNTED_BYTES_MAX = 20 * 1024 * 1024;
/** For a body that does not say how long it is. */
const CHUNKED_BYTES = 4 * 1024 * 1024;
/** A client alone gets a third of the budget. */
const CLIENT_OF_FREE = 1 / 2;

interface Admitted {
  incoming: IncomingMessage;
  outgoing: ServerResponse;
  address: string;
}

/**
 * Counts the body of a request until its response has ended; false if there is no room for it in the budget, or in the
 * share of its client. Clients on this machine have no share: they can be a proxy that svc does not know about.
 */
export function admitBody(bodies: ByteBudget, { incoming, outgoing, address }: Admitted): boolean {
  if (!hasBody(incoming)) return true;
  const holders = isLoopbackAddress(address) ? [] : [{ key: clientOf(address), ofFree: CLIENT_OF_FREE }];
  const account = bodies.open(holders);
  outgoing.once("close", () => account.release());
  return account.grow(bytesOf(incoming));
}

function bytesOf({ headers }: IncomingMessage): number {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return encoding === undefined ? Math.min(Number(length), COUNTED_BYTES_MAX) : CHUNKED_BYTES;
}
