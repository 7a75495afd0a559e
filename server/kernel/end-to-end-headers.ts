/** Headers that belong to one connection (RFC 9110 section 7.6.1) and to the proxy itself. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authentication-info",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

/**
 * The headers of a message that a proxy passes on, as alternating names and values: without those of the connection,
 * those that `Connection` names, and `dropped` (in lower case). Node frames the body itself.
 */
export function endToEnd(rawHeaders: readonly string[], dropped: readonly string[] = []): string[] {
  const pairs = Array.from({ length: rawHeaders.length / 2 }, (_, index) => {
    const [name = "", value = ""] = rawHeaders.slice(2 * index, 2 * index + 2);
    return { name, lower: name.toLowerCase(), value };
  });
  const named = pairs.filter(({ lower }) => lower === "connection").flatMap(({ value }) => value.split(","));
  const left = new Set([...dropped, ...named.map((name) => name.trim().toLowerCase())]);
  return pairs
    .filter(({ lower }) => !HOP_BY_HOP.has(lower) && !left.has(lower))
    .flatMap(({ name, value }) => [name, value]);
}
