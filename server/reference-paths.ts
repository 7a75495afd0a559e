import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import type { Config } from "./config";
import type { DirectPath } from "./http/create-server";

/** A new version comes with a new svc, and the tag tells whether the browser has it. */
const CACHE = "public, max-age=0, must-revalidate";

/** `/docs/assets/reference.js`: Scalar's script, which draws the API reference in the browser, from us alone. */
export function referencePaths({ rootDir }: Pick<Config, "rootDir">): DirectPath[] {
  const zipped = readFileSync(path.join(rootDir, ".build/reference.js.gz"));
  const etag = `"${createHash("sha256").update(zipped).digest("hex").slice(0, 32)}"`;
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": CACHE,
    vary: "Accept-Encoding",
    "x-content-type-options": "nosniff",
    etag,
  };
  const answer: DirectPath["answer"] = (request) => {
    if (request.headers.get("if-none-match")?.includes(etag)) return new Response(null, { status: 304, headers });
    const takesGzip = /\bgzip\b/.test(request.headers.get("accept-encoding") ?? "");
    if (!takesGzip) return new Response(gunzipSync(zipped), { headers });
    return new Response(zipped, { headers: { ...headers, "content-encoding": "gzip" } });
  };
  return [{ path: "/docs/assets/reference.js", answer }];
}
