const FALLBACK = "/dashboard";

/**
 * The path on PUBLIC_URL's origin that a `next` parameter names, with its query; `/dashboard` for anything else. Removing
 * dot segments can leave a path that begins with two slashes, which a browser reads as another host, so the result is
 * resolved a second time.
 */
export function safeRedirect(next: unknown, publicUrl: string): string {
  if (typeof next !== "string" || !next.startsWith("/")) return FALLBACK;
  const path = pathOnOrigin(next, publicUrl);
  return path !== undefined && pathOnOrigin(path, publicUrl) === path ? path : FALLBACK;
}

function pathOnOrigin(text: string, publicUrl: string): string | undefined {
  const { origin } = new URL(publicUrl);
  if (!URL.canParse(text, origin)) return undefined;
  const url = new URL(text, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}
