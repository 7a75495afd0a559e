import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { widgetVersion } from "../widget/widget-version.mjs";
import type { Config } from "./config";
import type { DirectPath } from "./http/create-server";

const VERSION = /^widget-[0-9a-f]{16}\.js$/;
/** Whoever names no version gets a new one within minutes; a version never changes. */
const CACHE_LATEST = "public, max-age=300";
const CACHE_VERSION = "public, max-age=31536000, immutable";

/**
 * The script tag: `/widget.js` is the newest, `/widget-<hash>.js` one version for ever, and `/widget.json` says
 * `{ path, integrity }` of the newest, for pages that want exactly it. Versions are kept in the data directory, because
 * a page that names one by its hash must find it after svc was renewed. Read once: a new widget comes with a new process.
 */
export function widgetPaths({ rootDir, dataDir }: Pick<Config, "rootDir" | "dataDir">): DirectPath[] {
  const script = readFileSync(path.join(rootDir, ".build/widget.js"));
  const version = widgetVersion(script);
  const kept = path.join(dataDir, "widgets");
  mkdirSync(kept, { recursive: true });
  writeFileSync(path.join(kept, version.path), script);
  const versions = readdirSync(kept).filter((name) => VERSION.test(name));
  return [
    { path: "/widget.js", answer: answerOf(script, { cache: CACHE_LATEST }) },
    {
      path: "/widget.json",
      answer: answerOf(JSON.stringify(version), { cache: CACHE_LATEST, type: "application/json" }),
    },
    ...versions.map((name) => ({
      path: `/${name}`,
      answer: answerOf(readFileSync(path.join(kept, name)), { cache: CACHE_VERSION }),
    })),
  ];
}

function answerOf(
  body: Buffer | string,
  { cache, type = "text/javascript; charset=utf-8" }: { cache: string; type?: string },
): DirectPath["answer"] {
  const headers = {
    "content-type": type,
    "cache-control": cache,
    // A page that checks the integrity asks with CORS.
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  };
  return () => new Response(body as BodyInit, { headers });
}
