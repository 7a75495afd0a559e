import { clientOf, isLoopbackAddress } from "../../identity/address-hash";
import { type Holder, SharedAmount } from "../../kernel/shared-amount";
import type { S3Caller } from "./s3-call";
import { S3Error } from "./s3-error";

/** In this process: each has a connection, and a file while an object is read or written. */
const REQUESTS_MAX = 4096;
/** Of them, without credentials: they take none of the others. */
const ANONYMOUS_SHARE = 1 / 4;
/** Of what is free: a tenant alone gets a third of its part, and the address of anonymous requests a fifth. */
const TENANT_OF_FREE = 1 / 2;
const ADDRESS_OF_FREE = 1 / 4;

/** Divides the requests that are open at the same time, so that the slow downloads of one tenant keep out no other one. */
export class OpenRequests {
  readonly #known: SharedAmount;
  readonly #anonymous: SharedAmount;

  constructor(max = REQUESTS_MAX) {
    this.#known = new SharedAmount(max * (1 - ANONYMOUS_SHARE));
    this.#anonymous = new SharedAmount(max * ANONYMOUS_SHARE);
  }

  /** Counts a request until the result is called. Throws `SlowDown` beyond the share of its caller. */
  open({ actor }: S3Caller, address: string): () => void {
    const requests = actor ? this.#known : this.#anonymous;
    const holders = actor ? [{ key: actor.tenantId, ofFree: TENANT_OF_FREE }] : anonymousHolders(address);
    if (!requests.take(holders, 1)) throw tooMany();
    return () => requests.release(holders, 1);
  }
}

/** A client on this machine can be a proxy that svc does not know about. */
const anonymousHolders = (address: string): Holder[] =>
  isLoopbackAddress(address) ? [] : [{ key: clientOf(address), ofFree: ADDRESS_OF_FREE }];

const tooMany = (): S3Error =>
  new S3Error("SlowDown", "Too many of your requests are open at the same time; end some, or retry shortly.", {
    headers: { "retry-after": "1" },
  });
