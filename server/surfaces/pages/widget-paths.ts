import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import path from "node:path";
import { widgetVersion } from "../../../widget/widget-version.mjs";
import type { DirectPath } from "../http/create-server";
import { staticAsset } from "../http/static-asset";

const VERSION = /^widget-[0-9a-f]{16}\.js$/;
/** Pages that use no version get a new one within minutes; a version never changes. */
const CACHE_LATEST = "public, max-age=300";
const CACHE_VERSION = "public, max-age=31536000, immutable";

/**
 * The paths of the script tag: `/widget.js` is the newest version, `/widget-<hash>.js` a fixed one, and `/widget.json`
 * returns `{ path, integrity }` of the newest. Versions are kept in the data directory, so that pages with a fixed
 * version still work after an upgrade. Files are read once at the start.
 */
export function widgetPaths({ rootDir, dataDir }: { rootDir: string; dataDir: string }): DirectPath[] {
  const script = readFileSync(path.join(rootDir, ".build/widget.js"));
  const version = widgetVersion(script);
  const kept = path.join(dataDir, "widgets");
  mkdirSync(kept, { recursive: true });
  // Another process of this data directory may read the file meanwhile, so it appears complete.
  const draft = path.join(kept, `${version.path}.${process.pid}`);
  writeFileSync(draft, script);
  renameSync(draft, path.join(kept, version.path));
  const versions = readdirSync(kept).filter((name) => VERSION.test(name));
  return [
    { path: "/widget.js", answer: answerOf(script, { cache: CACHE_LATEST }) },
    {
      path: "/widget.json",
      answer: answerOf(Buffer.from(JSON.stringify(version)), { cache: CACHE_LATEST, type: "application/json" }),
    },
    ...versions.map((name) => ({
      path: `/${name}`,
      answer: answerOf(readFileSync(path.join(kept, name)), { cache: CACHE_VERSION }),
    })),
  ];
}

function answerOf(
  body: Buffer,
  { cache, type = "text/javascript; charset=utf-8" }: { cache: string; type?: string },
): DirectPath["answer"] {
  const headers = {
    "content-type": type,
    "cache-control": cache,
    // A page that checks the integrity sends a CORS request.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  };
  return staticAsset({ plain: body }, headers);
}
