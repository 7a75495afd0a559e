/** A GIF of one transparent pixel. */
const PIXEL = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** The image that a conversion pixel is; any page may show it. */
export const pixelAnswer = (): Response =>
  new Response(PIXEL, { headers: { "content-type": "image/gif", "cross-origin-resource-policy": "cross-origin" } });
