const LOOPBACK_NAMES = new Set(["localhost", "127.0.0.1", "[::1]"]);

interface Visit {
  /** The request's Host header. */
  host: string | null;
  /** Path and query, as they were asked for. */
  path: string;
  publicUrl: string;
}

/**
 * Where a visitor belongs who came by another loopback name: the same page on PUBLIC_URL's origin; undefined who may
 * stay. Cookies, the demo's key and the same-origin check know that one origin only. Another port means that a tunnel
 * or a proxy stands between, whose address nobody here knows, so its visitors stay.
 */
export function publicAddressOf({ host, path, publicUrl }: Visit): string | undefined {
  const own = new URL(publicUrl);
  const asked = parseHost(own.protocol, host);
  if (!asked || asked.host === own.host || asked.port !== own.port) return undefined;
  return [asked, own].every(({ hostname }) => LOOPBACK_NAMES.has(hostname)) ? own.origin + path : undefined;
}

const parseHost = (protocol: string, host: string | null): URL | undefined =>
  host && URL.canParse(`${protocol}//${host}`) ? new URL(`${protocol}//${host}`) : undefined;
