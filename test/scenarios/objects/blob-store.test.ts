import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { blobsBelow, inspectBlobFile } from "../../../server/engines/objects/blob-files";
import { contentBytesOf } from "../../../server/engines/objects/block-checksums";
import { blobFile, FileBlobStore } from "../../../server/engines/objects/file-blob-store";
import { fileFolder } from "../../factories/file-folder";
import { testProgram } from "../../factories/test-program";

/** Puts that a process finishes before it is killed. */
const PUTS = 150;
/** Four puts and reads of 64 MiB each; what they hold at once is a tenth of it. */
const GROWTH_MIB_MAX = 100;

const base = fileFolder("svc-blob-process-");
const program = await testProgram(path.join(import.meta.dirname, "blob-store-process.ts"));

const start = (what: string, root: string) =>
  spawn(process.execPath, [program, what, root], { stdio: ["ignore", "pipe", "inherit"] });

/** Runs a process that stores blobs, kills it in the middle, and returns what it said was stored. */
async function storedUntilKilled(root: string): Promise<Map<string, number>> {
  const child = start("put", root);
  let said = "";
  const closed = once(child, "close");
  for await (const chunk of child.stdout) {
    said += String(chunk);
    if (said.split("\n").length > PUTS) child.kill("SIGKILL");
  }
  await closed;
  expect(child.signalCode).toBe("SIGKILL");
  const lines = said.slice(0, said.lastIndexOf("\n")).split("\n");
  return new Map(lines.map((line) => line.split(" ")).map(([name = "", size]) => [name, Number(size)]));
}

it("after kill -9 has every blob that was acknowledged, no torn one, and no draft once it is opened again", async () => {
  const root = path.join(base, "killed");
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 3; round++) {
    for (const [name, size] of await storedUntilKilled(root)) acknowledged.set(name, size);
  }
  expect(acknowledged.size).toBeGreaterThanOrEqual(3 * PUTS);
  const store = await FileBlobStore.open({ root, diskShare: 1 });
  for (const [name, size] of acknowledged) expect(await store.verify(name, size), name).toBe("ok");
  for await (const name of blobsBelow(root)) {
    const found = await inspectBlobFile(blobFile(root, name));
    expect(found?.checksum, name).toMatch(/^[0-9a-f]{8}$/);
    if (acknowledged.has(name)) expect(contentBytesOf(found?.bytes ?? 0)).toBe(acknowledged.get(name));
  }
  const drafts = readdirSync(path.join(root, ".drafts"), { recursive: true, withFileTypes: true });
  expect(drafts.filter((entry) => entry.isFile())).toEqual([]);
});

it("stores and reads large blobs in constant memory", async () => {
  const child = start("measure", path.join(base, "large"));
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += String(chunk);
  });
  const [code] = await once(child, "close");
  expect(code).toBe(0);
  expect(Number(said)).toBeLessThan(GROWTH_MIB_MAX);
  expect(said).not.toBe("");
});
