import { ServiceError } from "../../kernel/errors";

/** Whether the browser's headers prove that one of svc's own pages sent this request; scripts cannot set them. */
export function isSameOrigin(headers: Headers, publicOrigin: string): boolean {
  return headers.get("origin") === publicOrigin || headers.get("sec-fetch-site") === "same-origin";
}

/** The error for other requests with a session cookie that change something. */
export const foreignOrigin = (): ServiceError =>
  new ServiceError("forbidden", "This request did not come from svc's own pages; reload the page.", {
    details: { reason: "foreign_origin" },
  });
