import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { widgetPaths } from "./widget-paths";

let rootDir: string;
beforeEach(() => {
  rootDir = mkdtempSync(path.join(os.tmpdir(), "svc-widget-paths-"));
  mkdirSync(path.join(rootDir, ".build"));
});
afterEach(() => rmSync(rootDir, { recursive: true }));

async function answers(script: string): Promise<Map<string, Response>> {
  writeFileSync(path.join(rootDir, ".build/widget.js"), script);
  const found = new Map<string, Response>();
  for (const { path: at, answer } of widgetPaths({ rootDir, dataDir: path.join(rootDir, "data") }))
    found.set(at, await answer(new Request(`http://localhost${at}`), { address: "127.0.0.1" }));
  return found;
}

it("serves the version that it names, as immutable and with the given integrity", async () => {
  const found = await answers("one()");
  const { path: at, integrity } = await (found.get("/widget.json") as Response).json();
  const version = found.get(at) as Response;
  expect(version.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
  expect(version.headers.get("access-control-allow-origin")).toBe("*");
  expect(await version.text()).toBe("one()");
  expect(integrity).toBe(`sha384-${createHash("sha384").update("one()").digest("base64")}`);
  expect(found.get("/widget.js")?.headers.get("cache-control")).toBe("public, max-age=300");
});

it("still serves a version after a newer one", async () => {
  const { path: at } = await ((await answers("one()")).get("/widget.json") as Response).json();
  const found = await answers("two()");
  expect(await found.get("/widget.js")?.text()).toBe("two()");
  expect(await found.get(at)?.text()).toBe("one()");
});
