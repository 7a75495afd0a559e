const FALLBACK = "/dashboard";

/** Where to go after log-in: only a path on this site, never an address that another site smuggled into the link. */
export function safeNext(next: string | null | undefined): string {
  if (!next?.startsWith("/")) return FALLBACK;
  const base = "http://here.invalid";
  try {
    const url = new URL(next, base);
    return url.origin === base ? url.pathname + url.search : FALLBACK;
  } catch {
    return FALLBACK;
  }
}
