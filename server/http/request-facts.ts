import { randomFillSync } from "node:crypto";

/** What the pipeline knows of a request before anybody has looked at its meaning. */
export interface RequestFacts {
  requestId: string;
  /** The client's address, after trusted proxies were peeled off. */
  address: string;
  userAgent: string;
  /** What a browser sends along by itself; only for rows that live by a cookie, never for a log. */
  browser?: { cookies: string; origin: string | undefined };
}

/** What the HTTP server hands over beside the Request: the Request itself does not know its socket. */
export interface Peer {
  address: string;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const ID_BYTES = 12;
const POOL_BYTES = ID_BYTES * 512;
const pool = Buffer.alloc(POOL_BYTES);
let poolAt = POOL_BYTES;

/** The client's own X-Request-ID when it is well formed, else a new one. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && REQUEST_ID.test(header) ? header : mintRequestId();

/** `req_` and 96 random bits. */
function mintRequestId(): string {
  if (poolAt === POOL_BYTES) {
    randomFillSync(pool);
    poolAt = 0;
  }
  const id = pool.toString("hex", poolAt, poolAt + ID_BYTES);
  poolAt += ID_BYTES;
  return `req_${id}`;
}

/** The facts with what a browser adds to a request of its own accord. */
export const withBrowser = (facts: RequestFacts, { headers }: Pick<Request, "headers">): RequestFacts => ({
  ...facts,
  browser: { cookies: headers.get("cookie") ?? "", origin: headers.get("origin") ?? undefined },
});

export const factsOf = ({ headers }: Pick<Request, "headers">, { address }: Peer): RequestFacts => ({
  requestId: requestIdOf(headers.get("x-request-id")),
  address,
  userAgent: headers.get("user-agent") ?? "",
});
