import { readFileSync, renameSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { DeadLetterFile } from "./dead-letter-file";
import { defaultWaitingBytesMax, shareOf } from "./wal-size";

const dir = fileFolder("svc-dead-");

const MIB = 2 ** 20;

it("keeps rejected rows up to its size, counts the dropped ones, and continues when it is moved away", async () => {
  const file = path.join(dir, "dead-letters.ndjson");
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => void logged.push(line) });
  const letters = new DeadLetterFile({ file, log, bytesMax: 2000 });
  const add = (i: number) =>
    letters.add({ table: "clicks", token: `token:${i}`, row: "x".repeat(100), failure: new Error("refused") });
  await Promise.all(Array.from({ length: 30 }, (_, i) => add(i)));
  const kept = readFileSync(file, "utf8").trim().split("\n");
  expect(Buffer.byteLength(readFileSync(file))).toBeLessThanOrEqual(2000);
  expect(kept.length).toBeGreaterThan(5);
  expect(JSON.parse(kept[0] ?? "")).toMatchObject({ table: "clicks", token: "token:0", error: "refused" });
  expect([letters.refused.get("clicks"), letters.dropped.get("clicks")]).toEqual([30, 30 - kept.length]);
  // One log line for many rows that are rejected at once.
  expect(logged).toHaveLength(1);
  renameSync(file, `${file}.1`);
  await Promise.all([add(30), add(30)]);
  expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(1);
});

it("the default size of a write-ahead file is a quarter of the disk, from 64 MiB to 16 GiB", async () => {
  expect([0, 400 * MIB, 2 ** 50].map(shareOf)).toEqual([64 * MIB, 100 * MIB, 16 * 1024 * MIB]);
  const found = await defaultWaitingBytesMax(path.join(dir, "not", "yet"));
  expect(found).toBeGreaterThanOrEqual(64 * MIB);
  expect(found).toBeLessThanOrEqual(16 * 1024 * MIB);
});
