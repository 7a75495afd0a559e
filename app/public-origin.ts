const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface Visit {
  /** The request's Host header. */
  host: string | null;
  /** Path and query of the request. */
  path: string;
  publicUrl: string;
}

/**
 * The same page on PUBLIC_URL's origin, for a visitor who used another loopback name; otherwise undefined. Cookies, the
 * demo's key and the same-origin check work on that one origin only. Another port means a tunnel or proxy whose address
 * is unknown, so there is no redirect.
 */
export function publicUrlFor({ host, path, publicUrl }: Visit): string | undefined {
  const canonical = new URL(publicUrl);
  const requested = parseHost(canonical.protocol, host);
  if (!requested || requested.host === canonical.host || requested.port !== canonical.port) return undefined;
  if (![requested, canonical].every(({ hostname }) => LOOPBACK_NAMES.has(hostname))) return undefined;
  // Without the slash the path would extend the host name.
  return canonical.origin + (path.startsWith("/") ? path : "/");
}

const parseHost = (protocol: string, host: string | null): URL | undefined =>
  host && URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`) : undefined;
