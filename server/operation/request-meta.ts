import { randomFillSync } from "node:crypto";

/** The properties of a request that are known before its credentials and input are read. */
export interface RequestMeta {
  requestId: string;
  /** The client's address, behind trusted proxies. */
  address: string;
  userAgent: string;
  /** The headers that a browser adds; only for operations that use cookies, never logged. */
  browser?: { cookies: string; origin: string | undefined } | undefined;
  /** Whether the request's headers show that a proxy or tunnel forwarded it; set only for the dashboard. */
  isForwarded?: boolean;
}

/** The client of a request. A Request has no access to its socket, so the HTTP server passes this on. */
export interface Peer {
  address: string;
}

const REQUEST_ID = /^[A-Za-z0-9._-]{1,128}$/;
const ID_BYTES = 12;
const POOL_BYTES = ID_BYTES * 512;
const pool = Buffer.alloc(POOL_BYTES);
let poolAt = POOL_BYTES;

/** The client's own X-Request-ID if it is valid, otherwise a new one. */
export const requestIdOf = (header: string | null | undefined): string =>
  header && REQUEST_ID.test(header) ? header : newRequestId();

/** Returns `req_` and 96 random bits. */
function newRequestId(): string {
  if (poolAt === POOL_BYTES) {
    randomFillSync(pool);
    poolAt = 0;
  }
  const id = pool.toString("hex", poolAt, poolAt + ID_BYTES);
  poolAt += ID_BYTES;
  return `req_${id}`;
}

/** Adds the headers that a browser sends automatically. */
export const withBrowser = (facts: RequestMeta, { headers }: Pick<Request, "headers">): RequestMeta => ({
  ...facts,
  browser: { cookies: headers.get("cookie") ?? "", origin: headers.get("origin") ?? undefined },
});

export const requestMetaOf = ({ headers }: Pick<Request, "headers">, { address }: Peer): RequestMeta => ({
  requestId: requestIdOf(headers.get("x-request-id")),
  address,
  userAgent: headers.get("user-agent") ?? "",
});
