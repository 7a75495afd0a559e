import { readFileSync } from "node:fs";
import path from "node:path";
import type { DirectPath } from "../http/create-server";
import { staticAsset } from "../http/static-asset";

/** The script changes only with a new version of svc, and the tag says whether the browser has the current one. */
const CACHE = "public, max-age=0, must-revalidate";

/** `/docs/assets/reference.js`: the script of Scalar, which renders the API reference, served by svc itself. */
export function referencePaths({ rootDir }: { rootDir: string }): DirectPath[] {
  const script = readFileSync(path.join(rootDir, ".build/reference.js.gz"));
  const headers = {
    "content-type": "text/javascript; charset=utf-8",
    "cache-control": CACHE,
    "x-content-type-options": "nosniff",
  };
  return [{ path: "/docs/assets/reference.js", answer: staticAsset({ gzip: script }, headers) }];
}
