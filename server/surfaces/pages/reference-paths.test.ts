import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { buildReference } from "../../build/build-reference.mjs";
import { referencePaths } from "./reference-paths";

const SCRIPT = "one()";
const rootDir = fileFolder("svc-reference-");
mkdirSync(path.join(rootDir, ".build"));
writeFileSync(path.join(rootDir, ".build/reference.js.gz"), gzipSync(SCRIPT));

const ask = async (headers: Record<string, string>): Promise<Response> => {
  const [only] = referencePaths({ rootDir });
  if (!only) throw new Error("There is no path.");
  return only.answer(new Request(`http://localhost${only.path}`, { headers }), { address: "127.0.0.1" });
};

it("serves the script compressed to clients that accept gzip, and uncompressed to all others", async () => {
  const zipped = await ask({ "accept-encoding": "br, gzip" });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
  expect(gunzipSync(Buffer.from(await zipped.arrayBuffer())).toString()).toBe(SCRIPT);
  const plain = await ask({});
  expect([plain.headers.get("content-encoding"), await plain.text()]).toEqual([null, SCRIPT]);
});

it("sends it once to a browser that keeps it", async () => {
  const etag = (await ask({})).headers.get("etag") ?? "";
  expect((await ask({ "if-none-match": etag })).status).toBe(304);
});

it("reads it from the installed package, without the URL of a source map that is not served", async () => {
  const outFile = path.join(rootDir, "built.js.gz");
  await buildReference({ outFile });
  const text = gunzipSync(readFileSync(outFile)).toString();
  expect(text).toContain("createApiReference");
  expect(text).not.toContain("sourceMappingURL=standalone");
});
