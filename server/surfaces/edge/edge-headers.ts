import type { IncomingMessage } from "node:http";
import { endToEnd } from "../../kernel/end-to-end-headers";
import { isForwarded } from "../http/forwarding-headers";

export interface Forwarding {
  /** The address of the client. */
  address: string;
  publicUrl: string;
  requestId: string;
}

/** What svc sets or does itself. The cookies and credentials of a function's host are those of the function. */
const NOT_FOR_FUNCTION: ReadonlySet<string> = new Set(["host", "expect", "content-length", "x-request-id"]);

/** Bodies are sent in a frame of Node, which knows their length; whether a host is https alone is svc's to say. */
const NOT_FROM_FUNCTION: ReadonlySet<string> = new Set([
  "content-length",
  "strict-transport-security",
  "alt-svc",
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/** The headers that a function receives, by name in lower case. */
export function headersForFunction(
  { rawHeaders, headers }: Pick<IncomingMessage, "rawHeaders" | "headers">,
  { address, publicUrl, requestId }: Forwarding,
): Record<string, string> {
  const dropped = Object.keys(headers).filter((name) => NOT_FOR_FUNCTION.has(name) || isOfSvc(name));
  const passed = endToEnd(rawHeaders, dropped);
  const received: Record<string, string> = {};
  for (let i = 0; i < passed.length; i += 2) {
    const [name = "", value = ""] = [passed[i]?.toLowerCase(), passed[i + 1]];
    const before = received[name];
    received[name] = before === undefined ? value : `${before}${name === "cookie" ? "; " : ", "}${value}`;
  }
  const own = { "x-forwarded-for": address, "x-forwarded-proto": new URL(publicUrl).protocol.slice(0, -1) };
  return { ...received, ...own, "x-request-id": requestId };
}

/** The headers of a function's response that the client receives. */
export const headersFromFunction = (
  headers: readonly (readonly [name: string, value: string])[],
): (readonly [name: string, value: string])[] =>
  headers
    .filter(([name]) => !NOT_FROM_FUNCTION.has(name.toLowerCase()))
    .map(([name, value]) => [name, name.toLowerCase() === "set-cookie" ? ofOwnHost(value) : value]);

/** Without its domain: a cookie for a wider one would reach svc, and other functions. */
const ofOwnHost = (cookie: string): string =>
  cookie
    .split(";")
    .filter((part, index) => index === 0 || !/^\s*domain\s*(=|$)/i.test(part))
    .join(";");

const isOfSvc = (name: string): boolean => name.startsWith("x-svc-") || isForwarded([name]);
