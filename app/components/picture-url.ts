/**
 * The URL under which a page may show a picture that a user named; undefined for all others. Only https, so that nobody
 * on the way sees or replaces it, and `ownOrigin`, which is http on a local installation.
 */
export function pictureUrl(link: string | null | undefined, ownOrigin: string): string | undefined {
  if (!link || !URL.canParse(link)) return undefined;
  const { protocol, origin, href } = new URL(link);
  return protocol === "https:" || (protocol === "http:" && origin === ownOrigin) ? href : undefined;
}
