import { createHash } from "node:crypto";

/**
 * The immutable name of a widget and its Subresource Integrity value.
 *
 * @param {Uint8Array} script
 * @returns {{ path: string, integrity: string }} `/widget-<16 hex of SHA-256>.js` and `sha384-<base64>`
 */
export function widgetVersion(script) {
  const name = createHash("sha256").update(script).digest("hex").slice(0, 16);
  return { path: `/widget-${name}.js`, integrity: `sha384-${createHash("sha384").update(script).digest("base64")}` };
}
