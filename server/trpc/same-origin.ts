/** Whether a browser vouches that our own page sent this request; both headers are out of a script's reach. */
export function isSameOrigin(headers: Headers, publicOrigin: string): boolean {
  return headers.get("origin") === publicOrigin || headers.get("sec-fetch-site") === "same-origin";
}
