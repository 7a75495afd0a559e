import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openDataDir } from "./data-dir";
import { processMark, takeLock } from "./file-lock.mjs";

let parent: string;
let dir: string;
beforeEach(() => {
  parent = mkdtempSync(path.join(os.tmpdir(), "svc-data-"));
  dir = path.join(parent, "deep", ".data");
});
afterEach(() => rmSync(parent, { recursive: true }));

const modeOf = (file: string): string => (statSync(file).mode & 0o777).toString(8);

/** The id and start mark of a process that has ended. */
function deadHolder(): string {
  const { pid } = spawnSync(process.execPath, ["-e", ""]);
  return `${pid} 12345 someone`;
}

test("creates the folder and a secret for this user only, and reads the same secret again", () => {
  const first = openDataDir(dir);
  expect(first.secret.length).toBeGreaterThanOrEqual(43);
  expect([modeOf(dir), modeOf(path.join(dir, "secret"))]).toEqual(["700", "600"]);
  first.close();
  const second = openDataDir(dir);
  expect(second.secret).toBe(first.secret);
  second.close();
});

test("a second svc on the same folder fails with the first one's process id until the first one closes", () => {
  const first = openDataDir(dir);
  expect(() => openDataDir(dir)).toThrow(new RegExp(`process ${process.pid}.*SVC_DATA_DIR`));
  first.close();
  openDataDir(dir).close();
});

test("takes over the lock of a process that has ended", () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, "svc.lock"), deadHolder());
  openDataDir(dir).close();
});

test("takes over the lock of a dead process whose id was reused", () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, "svc.lock"), `${process.ppid} 1 someone`);
  openDataDir(dir).close();
});

test("when many take over a dead lock at once, exactly one gets it", async () => {
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, "x.lock");
  writeFileSync(file, deadHolder());
  const locks = Array.from({ length: 20 }, () => takeLock(file));
  expect(locks.filter((lock) => lock.taken)).toHaveLength(1);
});

test("a late release does not release the lock of the next holder", () => {
  mkdirSync(dir, { recursive: true });
  const file = path.join(dir, "x.lock");
  const first = takeLock(file);
  if (!first.taken) throw new Error("not taken");
  first.release();
  const second = takeLock(file);
  first.release();
  expect(second.taken).toBe(true);
  expect(readFileSync(file, "utf8")).toContain(`${process.pid} ${processMark(process.pid)}`);
});

test("a file in its place is reported in one sentence", () => {
  mkdirSync(path.dirname(dir), { recursive: true });
  writeFileSync(dir, "");
  expect(() => openDataDir(dir)).toThrow(/is a file.*remove it/);
  expect(() => openDataDir(path.join(dir, "below"))).toThrow(/inside a path that is a file/);
});

test("a truncated secret is reported, not used", () => {
  mkdirSync(dir, { recursive: true });
  writeFileSync(path.join(dir, "secret"), "short");
  expect(() => openDataDir(dir)).toThrow(/fewer than 32 characters/);
  expect(() => openDataDir(dir)).not.toThrow(/Another svc/);
});

test("a secret that others could read becomes private", () => {
  openDataDir(dir).close();
  chmodSync(path.join(dir, "secret"), 0o644);
  openDataDir(dir).close();
  expect(modeOf(path.join(dir, "secret"))).toBe("600");
});

test("a folder that this user may not write is reported in one sentence", () => {
  mkdirSync(dir, { recursive: true });
  chmodSync(dir, 0o500);
  const asNobody = process.getuid?.() === 0;
  if (asNobody) process.seteuid?.(65_534);
  try {
    expect(() => openDataDir(dir)).toThrow(/cannot be written by this user.*chown/);
  } finally {
    if (asNobody) process.seteuid?.(0);
    chmodSync(dir, 0o700);
  }
});
