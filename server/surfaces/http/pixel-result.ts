import type { HttpResult } from "./http-result";

/** A transparent GIF of one pixel. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** The image of a conversion pixel; any page may show it. */
export const pixelResult = (): HttpResult => ({
  status: 200,
  headers: { "content-type": "image/gif", "cross-origin-resource-policy": "cross-origin" },
  body: PIXEL,
});
