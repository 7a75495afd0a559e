/** The body of an upload is only the feed, so the other fields are headers. */
const HEADERS = { id: "x-svc-campaign", mode: "x-svc-feed-mode" } as const;

/** The fields of a feed upload, from the request's headers. */
export function feedInputOf(headers: Headers): Record<string, unknown> {
  const fields = Object.entries(HEADERS).map(([field, header]) => [field, headers.get(header) ?? undefined]);
  return Object.fromEntries(fields);
}
