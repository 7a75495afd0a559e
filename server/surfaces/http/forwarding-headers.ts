/** The server sets this header to the client's address and overwrites any value that the client sent. */
export const PEER_ADDRESS_HEADER = "x-svc-peer-address";

/** The server sets this to "false" if the client's headers show no proxy; Next adds such headers itself. */
export const FORWARDED_HEADER = "x-svc-forwarded";

/** Headers that proxies, tunnels and load balancers add, in addition to those with a prefix below. */
const NAMES: ReadonlySet<string> = new Set([
  "forwarded",
  "via",
  "x-real-ip",
  "x-client-ip",
  "x-cluster-client-ip",
  "x-original-host",
  "x-original-url",
  "x-envoy-external-address",
  "x-azure-clientip",
  "x-arr-log-id",
  "x-appengine-user-ip",
  "true-client-ip",
  "client-ip",
  "cdn-loop",
  "tailscale-user-login",
]);
const PREFIXES = [
  "x-forwarded",
  "x-proxyuser",
  "x-original-forwarded",
  "cf-",
  "fly-",
  "fastly-",
  "ngrok-",
  "x-amzn-",
  "x-amz-cf-",
  "x-vercel-",
];

/** Whether the headers show that another machine or program forwarded the request. Takes names in lower case. */
export const isForwarded = (names: Iterable<string>): boolean =>
  [...names].some((name) => NAMES.has(name) || PREFIXES.some((prefix) => name.startsWith(prefix)));
