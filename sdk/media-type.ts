/**
 * The media type of a response in lower case, without its parameters (RFC 9110, section 8.3.1): `text/csv` for
 * `Text/CSV; charset=utf-8`. "" for none.
 */
export const mediaTypeOf = ({ headers }: Pick<Response, "headers">): string =>
  (headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
