/** Content codings that svc reads. */
export type ContentCoding = "identity" | "gzip";

/** `x-gzip` is another name of gzip (RFC 9110, section 8.4.1.3). */
const CODINGS: Readonly<Record<string, ContentCoding>> = { gzip: "gzip", "x-gzip": "gzip", identity: "identity" };

/**
 * The one coding of a body with this Content-Encoding: a list of codings in any case, of which `identity` and empty
 * entries change nothing. Undefined for others, and for several that would have to be undone one after the other.
 */
export function contentCodingOf(header: string | null | undefined): ContentCoding | undefined {
  const names = (header ?? "").split(",").map((name) => name.trim().toLowerCase());
  const codings = names
    .filter((name) => name !== "")
    .map((name) => (Object.hasOwn(CODINGS, name) ? CODINGS[name] : undefined));
  const applied = codings.filter((coding) => coding !== "identity");
  return applied.length > 1 ? undefined : applied.length === 1 ? applied[0] : "identity";
}
