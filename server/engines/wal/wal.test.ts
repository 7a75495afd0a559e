import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, open, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { build } from "esbuild";
import { afterEach, describe, expect, it } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import type { Damage } from "./log-lines";
import { Wal, type WalOptions } from "./wal";
import { type WalIo, walIo } from "./wal-io";

const root = fileFolder("svc-wal-");
const opened: Wal[] = [];
let folders = 0;
const newDir = () => path.join(root, `${folders++}`);
async function openLog(dir: string, options: WalOptions = {}): Promise<Wal> {
  const wal = await Wal.open(dir, options);
  opened.push(wal);
  return wal;
}
afterEach(async () => {
  for (const wal of opened.splice(0)) await wal.close().catch(() => {});
});

/** Every remaining line; each slice is acknowledged. */
async function drain(wal: Wal, bytesMax?: number): Promise<string[]> {
  const lines: string[] = [];
  for (let slice = await wal.take(bytesMax); slice; slice = await wal.take(bytesMax)) {
    lines.push(...slice.lines);
    await slice.ack();
  }
  return lines;
}
const numbers = (count: number, from = 0) => Array.from({ length: count }, (_, i) => `line ${from + i}`);
const appendAll = (wal: Wal, lines: string[]) => Promise.all(lines.map((line) => wal.append(line)));
const segmentFiles = async (dir: string) => (await readdir(dir)).filter((name) => name.endsWith(".log")).sort();
const failWith = (code: string) => Object.assign(new Error(`${code}: injected`), { code });

describe("Wal", () => {
  it("returns every acknowledged line once and in order, over segments and restarts", async () => {
    const dir = newDir();
    const options = { segmentBytesMax: 2000 };
    let wal = await openLog(dir, options);
    const lines: string[] = [];
    for (let round = 0; round < 20; round++) {
      const more = numbers(50, round * 50);
      await appendAll(wal, more);
      lines.push(...more);
      if (round % 7 === 3) {
        await wal.close();
        wal = await openLog(dir, options);
      }
    }
    expect((await segmentFiles(dir)).length).toBeGreaterThan(5);
    expect(await drain(wal, 700)).toEqual(lines);
    expect(wal.waitingBytes).toBe(0);
    expect(await segmentFiles(dir)).toHaveLength(1);
  });

  it("keeps any text except a newline, however long, and returns a line longer than a slice alone", async () => {
    const wal = await openLog(newDir());
    const lines = ["", " ", "ü☃\u0000\r😀", "x".repeat(3_000_000), '{"a":"b"}', "y".repeat(70_000)];
    for (const line of lines) await wal.append(line);
    await expect(wal.append("a\nb")).rejects.toThrow(RangeError);
    expect(await drain(wal, 100)).toEqual(lines);
  });

  it("returns the same lines under the same token after a crash between take and acknowledgement", async () => {
    const dir = newDir();
    let wal = await openLog(dir, { segmentBytesMax: 500 });
    await appendAll(wal, numbers(400));
    const tokens = new Set<string>();
    const before: string[] = [];
    for (let crash = 0; crash < 8; crash++) {
      const taken = [await wal.take(400), await wal.take(400)];
      await appendAll(wal, numbers(20, 400 + crash * 20));
      // Closing without acknowledgement leaves the same state as a crash, because bounds are stored before a slice is
      // returned.
      await wal.close();
      wal = await openLog(dir, { segmentBytesMax: 500 });
      for (const slice of taken) {
        const again = await wal.take(100_000);
        expect(again).toMatchObject({ token: slice?.token, lines: slice?.lines });
        expect(tokens.has(again?.token ?? "")).toBe(false);
        tokens.add(again?.token ?? "");
        before.push(...(again?.lines ?? []));
        await again?.ack();
      }
    }
    expect([...before, ...(await drain(wal))]).toEqual(numbers(560));
  });

  it("has at most the allowed slices in flight and accepts acknowledgements in any order", async () => {
    const dir = newDir();
    let wal = await openLog(dir, { slicesMax: 3 });
    await appendAll(wal, numbers(9));
    const slices = [await wal.take(60), await wal.take(60), await wal.take(60)];
    expect(await wal.take(60)).toBeUndefined();
    await slices[2]?.ack();
    await slices[1]?.ack();
    await slices[1]?.ack();
    slices[0]?.giveBack();
    const again = await wal.take(1000);
    expect(again).toMatchObject({ token: slices[0]?.token, lines: slices[0]?.lines });
    await wal.close();
    wal = await openLog(dir);
    expect([...(await drain(wal)), ...(slices[1]?.lines ?? []), ...(slices[2]?.lines ?? [])].sort()).toEqual(
      numbers(9),
    );
  });

  it("never repeats a token, even when every segment was delivered and removed before the restart", async () => {
    const dir = newDir();
    const tokens = new Set<string>();
    for (let run = 0; run < 4; run++) {
      const wal = await openLog(dir);
      await wal.append("same line");
      const slice = await wal.take();
      expect(tokens.has(slice?.token ?? "")).toBe(false);
      tokens.add(slice?.token ?? "");
      await slice?.ack();
      await wal.close();
    }
    expect([...tokens][0]).toMatch(/^[0-9a-f-]{36}:\d+:\d+$/);
  });

  it("rejects lines while too much waits, and accepts them again after an acknowledgement", async () => {
    const wal = await openLog(newDir(), { waitingBytesMax: 1000 });
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => wal.append("x".repeat(90))));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(10);
    expect(wal.waitingBytes).toBe(1000);
    await expect(wal.append("")).rejects.toMatchObject({ code: "unavailable", details: { reason: "back_pressure" } });
    await expect(wal.checkRoom(0.7)).rejects.toMatchObject({ details: { reason: "back_pressure" } });
    // The disk accepts lines: the process is ready even if ClickHouse is unavailable.
    await wal.checkWritable();
    expect(wal.fill).toBe(1);
    const slice = await wal.take(500);
    await slice?.ack();
    await wal.checkRoom(0.7);
    await wal.append("x".repeat(90));
  });

  it("stores what was accepted before close and rejects what comes after", async () => {
    const dir = newDir();
    const wal = await openLog(dir);
    const accepted = appendAll(wal, numbers(100));
    const closing = wal.close();
    await expect(wal.append("late")).rejects.toMatchObject({ details: { reason: "shutting_down" } });
    await Promise.all([accepted, closing]);
    expect(await drain(await openLog(dir))).toEqual(numbers(100));
  });
});

/** Every file of a log that has been synced, up to its synced length: what a power loss leaves at least. */
function syncedOnly(): { io: WalIo; synced: Map<number, number> } {
  const written = new Map<number, number>();
  const synced = new Map<number, number>();
  const io: WalIo = {
    ...walIo,
    write: async (file, bytes, position) => {
      const count = await walIo.write(file, bytes, position);
      const { ino } = await file.stat();
      written.set(ino, position + count);
      return count;
    },
    sync: async (file) => {
      const { ino } = await file.stat();
      const length = written.get(ino) ?? 0;
      await walIo.sync(file);
      synced.set(ino, length);
    },
  };
  return { io, synced };
}

/** Appends until it is killed, and prints each id after its line was acknowledged. Arguments: folder, run. */
const WRITER = `
import { writeSync } from "node:fs";
import { Wal } from "./wal";

const [dir = "", run = ""] = process.argv.slice(2);
const wal = await Wal.open(dir, { segmentBytesMax: 200_000 });
let next = 0;
const write = async () => {
  for (;;) {
    const id = run + "-" + next++;
    await wal.append(JSON.stringify({ id, pad: "x".repeat(180) }));
    writeSync(1, id + "\\n");
  }
};
await Promise.all(Array.from({ length: 40 }, write));
`;

describe("Wal after a crash", () => {
  it("loses no acknowledged line, repeats none and returns no torn one when its writer is killed five times", async () => {
    const entry = path.join(root, "writer.mjs");
    const stdin = { contents: WRITER, resolveDir: import.meta.dirname, loader: "ts" } as const;
    await build({ stdin, outfile: entry, bundle: true, platform: "node", format: "esm" });
    const dir = newDir();
    const acknowledged = new Set<string>();
    for (let run = 0; run < 5; run++) {
      const child = spawn(process.execPath, [entry, dir, `${run}`], { stdio: ["ignore", "pipe", "inherit"] });
      let output = "";
      let enough = () => {};
      child.stdout.on("data", (chunk: Buffer) => {
        output += chunk.toString();
        if (output.length > 10_000 * (run + 1)) enough();
      });
      await new Promise<void>((resolve) => {
        enough = resolve;
        child.once("close", () => resolve());
      });
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "close");
      expect(child.signalCode).toBe("SIGKILL");
      for (const id of output.slice(0, output.lastIndexOf("\n")).split("\n")) acknowledged.add(id);
    }
    const wal = await openLog(dir);
    const found = (await drain(wal, 50_000)).map((line) => (JSON.parse(line) as { id: string }).id);
    expect(acknowledged.size).toBeGreaterThan(5000);
    expect(new Set(found).size).toBe(found.length);
    const stored = new Set(found);
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
  });

  it("keeps every acknowledged line when a power loss deletes everything that was not synced", async () => {
    const dir = newDir();
    const { io, synced } = syncedOnly();
    const wal = await openLog(dir, { io, segmentBytesMax: 3000 });
    const acknowledged: string[] = [];
    const writers = Array.from({ length: 20 }, async (_, writer) => {
      for (let i = 0; i < 40; i++) {
        const line = `writer ${writer} line ${i}`;
        await wal.append(line);
        acknowledged.push(line);
      }
    });
    while (acknowledged.length < 400) await new Promise((resolve) => setImmediate(resolve));
    const [kept, must, after] = [new Map(synced), [...acknowledged], newDir()];
    await mkdir(after);
    for (const name of await segmentFiles(dir)) {
      const file = await open(path.join(dir, name));
      const { ino } = await file.stat();
      await file.close();
      await copyFile(path.join(dir, name), path.join(after, name));
      await truncate(path.join(after, name), kept.get(ino) ?? 0);
    }
    await Promise.all(writers);
    const left = new Set(await drain(await openLog(after)));
    expect(must.filter((line) => !left.has(line))).toEqual([]);
  });

  it("drops the torn end of an unacknowledged write, and reports it", async () => {
    const dir = newDir();
    const wal = await openLog(dir);
    await appendAll(wal, numbers(10));
    await wal.close();
    const [name = ""] = await segmentFiles(dir);
    const file = path.join(dir, name);
    const whole = await readFile(file);
    for (const torn of [Buffer.from("0badc0de half a li"), Buffer.alloc(200_000), whole.subarray(0, 5)]) {
      await writeFile(file, Buffer.concat([whole, torn]));
      const damage: Damage[] = [];
      const again = await openLog(dir, { onDamage: (one) => damage.push(one) });
      expect(damage).toEqual([{ segment: 1, offset: whole.length, bytes: torn.length, reason: "torn" }]);
      expect((await again.take())?.lines).toEqual(numbers(10));
      await again.close();
    }
  });
});

describe("Wal on a damaged disk", () => {
  it.each([
    ["a flipped bit in a line", (bytes: Buffer) => flip(bytes, 70, 1), 1],
    ["a flipped bit in a checksum", (bytes: Buffer) => flip(bytes, 55, 1), 1],
    ["a lost newline, which joins two lines", (bytes: Buffer) => flip(bytes, 100 - 1, 10), 2],
    ["a block of zeros over two lines", (bytes: Buffer) => bytes.fill(0, 60, 130), 2],
    ["an intact line at a wrong place", (bytes: Buffer) => bytes.copy(bytes, 50, 0, 50), 1],
  ])("skips what %s damaged, reports it and delivers the rest", async (_, spoil, lost) => {
    const dir = newDir();
    const lines = Array.from({ length: 20 }, (_, i) => `line ${i}`.padEnd(40, "."));
    const wal = await openLog(dir);
    await appendAll(wal, lines);
    await wal.close();
    const file = path.join(dir, (await segmentFiles(dir))[0] ?? "");
    const bytes = await readFile(file);
    spoil(bytes);
    await writeFile(file, bytes);
    const damage: Damage[] = [];
    const again = await openLog(dir, { onDamage: (one) => damage.push(one) });
    const slice = await again.take();
    expect(slice?.lines).toEqual(lines.filter((_, i) => i < 1 || i > lost));
    expect(slice?.damage).toEqual(damage);
    expect(damage.reduce((sum, one) => sum + one.bytes, 0)).toBe(lost * 50);
    await slice?.ack();
    expect(again.waitingBytes).toBe(0);
  });

  it("continues after a range without an intact line", async () => {
    const dir = newDir();
    let wal = await openLog(dir);
    await appendAll(wal, numbers(20));
    await wal.close();
    const file = path.join(dir, (await segmentFiles(dir))[0] ?? "");
    const bytes = (await readFile(file)).fill("#");
    bytes.write("\n", bytes.length - 1);
    await writeFile(file, bytes);
    const damage: Damage[] = [];
    wal = await openLog(dir, { onDamage: (one) => damage.push(one) });
    await appendAll(wal, ["after"]);
    expect(await drain(wal, 64)).toEqual(["after"]);
    expect(damage).toHaveLength(1);
    expect(wal.waitingBytes).toBe(0);
  });

  it("reports slices whose file is missing, and delivers later lines", async () => {
    const dir = newDir();
    let wal = await openLog(dir, { segmentBytesMax: 1 });
    await wal.append("one");
    await wal.append("two");
    await wal.take();
    await wal.close();
    await rm(path.join(dir, (await segmentFiles(dir))[0] ?? ""));
    const damage: Damage[] = [];
    wal = await openLog(dir, { onDamage: (one) => damage.push(one) });
    expect(damage).toEqual([{ segment: 1, offset: 0, bytes: 13, reason: "missing" }]);
    expect(await drain(wal)).toEqual(["two"]);
  });

  it("survives a torn checkpoint write, and reports a checkpoint that cannot be read at all", async () => {
    const dir = newDir();
    let wal = await openLog(dir);
    await appendAll(wal, numbers(10));
    const token = (await wal.take(30))?.token;
    await wal.close();
    const file = path.join(dir, "checkpoint");
    const bytes = await readFile(file);
    // Sequence 2 contains the slice and is in the first slot: the second, older one is torn.
    bytes.fill(0, 4096 + 20, 4096 + 60);
    await writeFile(file, bytes);
    wal = await openLog(dir);
    expect((await wal.take(30))?.token).toBe(token);
    await wal.close();
    await writeFile(file, Buffer.alloc(8192));
    const damage: Damage[] = [];
    wal = await openLog(dir, { onDamage: (one) => damage.push(one) });
    expect(damage).toEqual([{ segment: 0, offset: 0, bytes: 0, reason: "checkpoint" }]);
    expect((await wal.take(1000))?.token).toBe(token);
    expect(await drain(wal)).toHaveLength(9);
  });
});

function flip(bytes: Buffer, at: number, mask: number): void {
  bytes[at] = (bytes[at] ?? 0) ^ mask;
}

describe("Wal on a failing disk", () => {
  it("completes short writes", async () => {
    const io: WalIo = { ...walIo, write: (file, bytes, at) => walIo.write(file, bytes.subarray(0, 7), at) };
    const wal = await openLog(newDir(), { io });
    await appendAll(wal, numbers(20));
    expect(await drain(wal)).toEqual(numbers(20));
  });

  it("rejects lines while the disk is full, delivers meanwhile, and continues in the same file when there is space", async () => {
    const dir = newDir();
    let isFull = false;
    const io: WalIo = {
      ...walIo,
      // Like a real disk: a part fits, then the error follows.
      write: async (file, bytes, at) => {
        if (!isFull) return walIo.write(file, bytes, at);
        if (bytes.length < 20) throw failWith("ENOSPC");
        return walIo.write(file, bytes.subarray(0, bytes.length >> 1), at);
      },
    };
    const wal = await openLog(dir, { io });
    await appendAll(wal, numbers(10));
    isFull = true;
    const refused = await Promise.allSettled(numbers(10, 100).map((line) => wal.append(line)));
    for (const outcome of refused) {
      expect(outcome).toMatchObject({ reason: { code: "unavailable", details: { reason: "disk_full" } } });
    }
    expect(wal.failure).toBeUndefined();
    expect(await drain(wal)).toEqual(numbers(10));
    isFull = false;
    await appendAll(wal, numbers(10, 10));
    expect(await segmentFiles(dir)).toHaveLength(1);
    await wal.close();
    const damage: Damage[] = [];
    expect(await drain(await openLog(dir, { onDamage: (one) => damage.push(one) }))).toEqual(numbers(10, 10));
    expect(damage).toEqual([]);
  });

  it("acknowledges nothing more in a file whose sync failed, and continues in a new one", async () => {
    const dir = newDir();
    let broken = 0;
    const io: WalIo = {
      ...walIo,
      sync: async (file) => {
        if (broken > 0) {
          broken--;
          throw failWith("EIO");
        }
        await walIo.sync(file);
      },
    };
    const wal = await openLog(dir, { io });
    await appendAll(wal, numbers(10));
    broken = 1;
    await expect(wal.append("lost")).rejects.toMatchObject({
      code: "unavailable",
      details: { reason: "write_failed" },
    });
    await appendAll(wal, numbers(10, 10));
    expect(await segmentFiles(dir)).toHaveLength(2);
    await wal.close();
    expect(await drain(await openLog(dir))).toEqual(numbers(20));
  });

  it.each([
    ["the cut back fails", { truncate: () => Promise.reject(failWith("EIO")) }],
    ["the cut back is not durable either", { sync: () => Promise.reject(failWith("EIO")) }],
    ["the cut back did not happen", { truncate: async () => {} }],
  ])("stays failed until a restart when %s", async (_, fault: Partial<WalIo>) => {
    const dir = newDir();
    const io: WalIo = { ...walIo };
    let wal = await openLog(dir, { io });
    await appendAll(wal, numbers(10));
    let failing = true;
    Object.assign(io, { ...fault });
    const sync = io.sync;
    io.sync = async (file) => {
      if (failing) {
        failing = false;
        throw failWith("EIO");
      }
      await sync(file);
    };
    await expect(wal.append("unsure")).rejects.toMatchObject({ details: { reason: "log_failed" } });
    Object.assign(io, walIo);
    await expect(wal.append("after")).rejects.toMatchObject({ details: { reason: "log_failed" } });
    expect(wal.failure).toBeDefined();
    expect((await wal.take())?.lines).toEqual(numbers(10));
    await wal.close();
    wal = await openLog(dir);
    await wal.append("again");
    const lines = await drain(wal);
    // The rejected line may or may not be there; acknowledged lines must be.
    expect(lines.filter((line) => line !== "unsure")).toEqual([...numbers(10), "again"]);
  });

  it("rejects lines while no new segment can be created, and continues when one can", async () => {
    const dir = newDir();
    const wal = await openLog(dir, { segmentBytesMax: 1 });
    await wal.append("one");
    // The next segment's name is taken: creating it fails as on a disk without inodes.
    await writeFile(path.join(dir, "000000000002.log"), "");
    await expect(wal.append("two")).rejects.toMatchObject({ details: { reason: "write_failed" } });
    await wal.append("three");
    expect(await drain(wal)).toEqual(["one", "three"]);
  });
});
