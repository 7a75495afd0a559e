/**
 * The media type of a Content-Type in lower case, without its parameters (RFC 9110, section 8.3.1): `text/csv` for
 * `Text/CSV; charset=utf-8`. "" for none.
 */
export const mediaTypeOf = (contentType: string | null | undefined): string =>
  (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";

/**
 * Whether an Accept header allows a media type (RFC 9110, section 12.5.1): the most particular of its ranges that
 * contains the type decides, and a weight of 0 excludes it. Without a header, everything is allowed.
 */
export function acceptsType(accept: string | null | undefined, type: string): boolean {
  if (accept === null || accept === undefined || accept.trim() === "") return true;
  const [main] = type.split("/", 1);
  const ranges = [type, `${main}/*`, "*/*"];
  const given = rangesOf(accept);
  const range = ranges.find((one) => given.has(one));
  return range !== undefined && given.get(range) !== 0;
}

/** Whether an Accept header names a media type itself: a browser names HTML, and programs that take anything do not. */
export const namesType = (accept: string | null | undefined, type: string): boolean =>
  (rangesOf(accept ?? "").get(type) ?? 0) > 0;

/** The weight of each range. */
const rangesOf = (accept: string): Map<string, number> =>
  new Map(
    accept.split(",").map((range) => {
      const weight = /;\s*q\s*=\s*([\d.]+)/i.exec(range)?.[1];
      return [mediaTypeOf(range), weight === undefined ? 1 : Number(weight)];
    }),
  );
