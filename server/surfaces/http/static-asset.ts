import { createHash } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { requestIdOf } from "../../operation/request-meta";
import type { DirectPath } from "./create-server";
import { errorResponse, MethodNotAllowed } from "./error-response";

const METHODS = ["GET", "HEAD"];

/** A file in its plain and compressed form; the second one is created on the first request and cached. */
export type AssetBytes = { plain: Buffer } | { gzip: Buffer };

/**
 * Serves GET and HEAD of a file that does not change while this process runs: gzip if the client accepts it, 304 if the
 * client has it. Never throws; other methods get 405.
 */
export function staticAsset(bytes: AssetBytes, headers: Record<string, string>): DirectPath["answer"] {
  const given = "plain" in bytes ? bytes.plain : bytes.gzip;
  const hash = createHash("sha256").update(given).digest("hex").slice(0, 32);
  const plain = once(() => ("plain" in bytes ? bytes.plain : gunzipSync(bytes.gzip)));
  const gzip = once(() => ("gzip" in bytes ? bytes.gzip : gzipSync(bytes.plain, { level: 9 })));
  return ({ method, headers: asked }) => {
    if (!METHODS.includes(method)) {
      return errorResponse(new MethodNotAllowed(method, METHODS), requestIdOf(asked.get("x-request-id")));
    }
    const isZipped = takesGzip(asked.get("accept-encoding") ?? "");
    const etag = isZipped ? `"${hash}-gzip"` : `"${hash}"`;
    const shown = { ...headers, vary: "Accept-Encoding", etag };
    if (names(asked.get("if-none-match") ?? "", etag)) return new Response(null, { status: 304, headers: shown });
    const body = isZipped ? gzip() : plain();
    return new Response(method === "HEAD" ? null : (body as BodyInit), {
      headers: {
        ...shown,
        "content-length": String(body.length),
        ...(isZipped && { "content-encoding": "gzip" }),
      },
    });
  };
}

/** Whether an Accept-Encoding header allows gzip: by name or by `*`, with a weight other than 0 (RFC 9110, 12.5.3). */
function takesGzip(header: string): boolean {
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(",")) {
    const [coding = "", weight] = part.split(";").map((text) => text.trim());
    weights.set(coding, weight === undefined ? 1 : Number(/^q=([\d.]+)$/.exec(weight)?.[1] ?? 0));
  }
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** Whether an If-None-Match header contains the tag, weak or strong. */
const names = (header: string, etag: string): boolean =>
  header.split(",").some((tag) => ["*", etag].includes(tag.trim().replace(/^W\//, "")));

function once<T extends object>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
