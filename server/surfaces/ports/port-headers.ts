import type { IncomingMessage } from "node:http";
import { endToEnd } from "../../kernel/end-to-end-headers";
import { isForwarded } from "../http/forwarding-headers";
import type { PassedHeaders } from "./passed-headers";

/** Where a request for a port of a pod comes from, and where it goes. */
export interface Forwarding {
  /** The path of the port at svc, without a slash at its end. */
  prefix: string;
  port: string;
  /** The address of the client. */
  address: string;
  publicUrl: string;
  requestId: string;
}

/** Credentials of svc, and what svc sets or does itself. */
const NOT_FOR_POD: ReadonlySet<string> = new Set(["authorization", "cookie", "expect", "host", "x-request-id"]);

/** Without a length, Node announces a body of chunks for every other method. */
const WITHOUT_BODY: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE"]);

/** What browsers apply to the whole origin, which is that of svc, or keep for it. */
const NOT_FROM_POD = [
  "set-cookie",
  "set-cookie2",
  "set-login",
  "www-authenticate",
  "authentication-info",
  "sec-session-registration",
  "clear-site-data",
  "service-worker-allowed",
  "accept-ch",
  "critical-ch",
  "use-as-dictionary",
  "alt-svc",
  "strict-transport-security",
  "public-key-pins",
  "public-key-pins-report-only",
  "expect-ct",
  "nel",
  "report-to",
  "reporting-endpoints",
  "x-content-type-options",
];

/** A page of a pod has an origin of its own, so that its scripts cannot act as the person who is logged in to svc. */
const SANDBOX = "sandbox allow-scripts allow-forms";

export const podHeaders = (forwarding: Forwarding): PassedHeaders => ({
  forServer: (incoming) => headersForPod(incoming, forwarding),
  fromServer: (response) => headersFromPod(response, forwarding),
});

/** The headers that a pod receives, as alternating names and values, without those that frame the connection. */
export function headersForPod({ method = "", rawHeaders, headers }: IncomingMessage, forwarding: Forwarding): string[] {
  const { prefix, port, address, publicUrl, requestId } = forwarding;
  const dropped = Object.keys(headers).filter((name) => NOT_FOR_POD.has(name) || isOfSvc(name));
  // With both, the length is not that of what arrives.
  const isChunked = headers["transfer-encoding"] !== undefined;
  const isEmpty = !isChunked && headers["content-length"] === undefined && !WITHOUT_BODY.has(method);
  return [
    "Host",
    `localhost:${port}`,
    ...endToEnd(rawHeaders, isChunked ? [...dropped, "content-length"] : dropped),
    ...(isChunked ? ["Transfer-Encoding", "chunked"] : []),
    ...(isEmpty ? ["Content-Length", "0"] : []),
    "X-Forwarded-For",
    address,
    "X-Forwarded-Proto",
    new URL(publicUrl).protocol.slice(0, -1),
    "X-Forwarded-Host",
    headers.host ?? "",
    "X-Forwarded-Prefix",
    prefix,
    "X-Request-ID",
    requestId,
  ];
}

/** The headers of a pod's response that the client receives, as pairs. */
export function headersFromPod(
  { rawHeaders, headers }: Pick<IncomingMessage, "rawHeaders" | "headers">,
  forwarding: Pick<Forwarding, "prefix" | "port">,
): [name: string, value: string][] {
  const passed = endToEnd(rawHeaders, NOT_FROM_POD);
  const pairs = Array.from({ length: passed.length / 2 }, (_, index): [string, string] => {
    const [name = "", value = ""] = passed.slice(2 * index, 2 * index + 2);
    return [name, name.toLowerCase() === "location" ? locationOf(value, forwarding) : value];
  });
  if (headers["cache-control"] === undefined) pairs.push(["Cache-Control", "no-store"]);
  return [...pairs, ["X-Content-Type-Options", "nosniff"], ["Content-Security-Policy", SANDBOX]];
}

const isOfSvc = (name: string): boolean => name.startsWith("x-svc-") || isForwarded([name]);

/** A redirect within the pod, which does not know below which path it is reached. */
export function locationOf(location: string, { prefix, port }: Pick<Forwarding, "prefix" | "port">): string {
  const own = `http://localhost:${port}/`;
  const path = location.startsWith(own) ? location.slice(own.length - 1) : location;
  const isPath = path.startsWith("/") && !path.startsWith("//");
  return isPath && !path.startsWith(`${prefix}/`) ? `${prefix}${path}` : path;
}
