import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { expect, it } from "vitest";
import { buildDocsIndex } from "./build-docs-index.mjs";

const rootDir = path.resolve(import.meta.dirname, "../..");
/** A reader loads the index when they begin to search: it may grow with the sections and operations, not faster. */
const BYTES_PER_DOCUMENT_MAX = 1_400;

it("is the same for the same pages, because a changed index rebuilds them, and stays small", async () => {
  const base = await mkdtemp(path.join(os.tmpdir(), "svc-docs-index-"));
  try {
    const built: string[] = [];
    for (const outDir of [path.join(base, "a"), path.join(base, "b")]) {
      await buildDocsIndex({ rootDir, outDir });
      built.push(readFileSync(path.join(outDir, "search-index.json"), "utf8"));
    }
    expect(built[1]).toBe(built[0]);
    const { documentCount } = JSON.parse(JSON.parse(built[0] ?? "")) as { documentCount: number };
    expect(built[0]?.length).toBeLessThan(documentCount * BYTES_PER_DOCUMENT_MAX);
    expect(built[0]).toContain("/docs/reference/platform#tag/channels/POST/v1/ads/channels");
  } finally {
    await rm(base, { recursive: true, force: true });
  }
});
