/** Whether the browser's headers prove that one of svc's own pages sent this request; scripts cannot set them. */
export function isSameOrigin(headers: Headers, publicOrigin: string): boolean {
  return headers.get("origin") === publicOrigin || headers.get("sec-fetch-site") === "same-origin";
}
