import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { build } from "esbuild";
import { Pool } from "pg";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { freePort } from "../../../../test/factories/free-port";
import { type TestDatabase, testDatabase } from "../../../../test/factories/postgres";
import { createStoredTexts, storedCopies, TEXTS, writeText } from "../../../../test/factories/stored-texts";
import { startAlarms } from "../../../engines/start-alarms";
import { systemClock } from "../../../kernel/clock";
import { changeServed } from "./change-served";
import type { CopiesOf } from "./copies";
import { recordChange, servedBy } from "./served-changes.sql";
import { ServedCopies } from "./served-copies";

const LONG_MS = 600_000;
const SOON = { timeout: 30_000, interval: 20 };
const never = new AbortController().signal;

let database: TestDatabase;
let folder = "";
let program = "";
beforeAll(async () => {
  database = await testDatabase();
  await createStoredTexts(database.sql);
  folder = await mkdtemp(path.join(import.meta.dirname, "../../../../.build/serving-process-"));
  program = path.join(folder, "serving.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "../../../../test/factories/serving-process.ts")],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outfile: program,
    logLevel: "error",
  });
});
const stops: (() => unknown)[] = [];
beforeEach(() => database.sql.query("DELETE FROM serving_processes"));
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const change = (key: string, text: string | null) =>
  changeServed(database, { topic: TEXTS, key, write: writeText(key, text) }, never);
const by = async (key: string) => (await servedBy(database.sql, { topic: TEXTS, keys: [key] })).get(key);

interface Options {
  leaseMs?: number;
  /** It follows changes at once; otherwise in `alarms.settle` only. */
  follows?: boolean;
  of?: Partial<CopiesOf<{ text: string }>>;
  sql?: Pool;
}

/** What one process serves from memory, in this one. */
async function serving({ leaseMs = LONG_MS, follows = false, of = {}, sql = database.sql }: Options = {}) {
  let nowMs = 1000;
  const log = pino({ level: "silent" });
  const alarms = startAlarms({ sql: database.sql, clock: systemClock, log, isManual: !follows });
  const served = new ServedCopies({ sql, alarms, monotonicMs: () => nowMs, leaseMs });
  stops.push(async () => {
    await served.stop();
    await alarms.stop();
  });
  const copies = await served.of({ ...storedCopies(database.sql), ...of });
  const text = async (key: string) => (await copies.get(key))?.text;
  /** Moves the clock by which this process knows whether its lease lasts. */
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { copies, served, alarms, advance, text };
}

interface OtherProcess {
  child: ChildProcessByStdio<Writable, Readable, null>;
  text: (key: string) => Promise<string | null>;
}

/** A process of the operating system; resolves when it serves. */
async function otherProcess(leaseMs: number): Promise<OtherProcess> {
  const args = [program, database.url, String(leaseMs)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  stops.push(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => JSON.parse((await lines.next()).value ?? "null");
  expect(await next()).toBe("serves");
  const text = (key: string) => {
    child.stdin.write(`${key}\n`);
    return next();
  };
  return { child, text };
}

describe("two processes", () => {
  it("both serve a change, and a deletion, as soon as it is reported", async () => {
    const own = await serving({ follows: true });
    const other = await otherProcess(LONG_MS);
    const both = async () => [await own.text("a"), await other.text("a")];
    expect(await both()).toEqual([undefined, null]);
    for (let version = 1; version <= 20; version++) {
      await expect.poll(() => change("a", `version ${version}`), SOON).toBe("all");
      expect(await both()).toEqual([`version ${version}`, `version ${version}`]);
    }
    await expect.poll(() => change("a", null), SOON).toBe("all");
    expect(await both()).toEqual([undefined, null]);
  });

  it("wait for one that was killed until its lease ends, and not for one that has stopped", async () => {
    const own = await serving({ follows: true });
    const other = await otherProcess(1500);
    const { rows } = await database.sql.query("SELECT process FROM serving_processes WHERE lease_until > now()");
    expect(rows).toHaveLength(2);
    other.child.kill("SIGKILL");
    await once(other.child, "exit");
    await expect.poll(() => change("b", "new"), SOON).toBe("all");
    expect(await own.text("b")).toBe("new");
    await own.served.stop();
    expect([await change("b", "newer"), await own.text("b")]).toEqual(["none", "newer"]);
  });

  it("wait for one that does not respond while its lease lasts", async () => {
    const other = await otherProcess(LONG_MS);
    await expect.poll(() => change("c", "old"), SOON).toBe("all");
    expect(await other.text("c")).toBe("old");
    other.child.kill("SIGSTOP");
    expect(await change("c", "new")).toBe("some");
    expect(await change("c", null)).toBe("some");
    other.child.kill("SIGCONT");
    await expect.poll(() => by("c"), SOON).toBe("all");
    expect(await other.text("c")).toBe(null);
  });
});

describe("a process", () => {
  it("reads once what it serves often, and again after a change", async () => {
    let loads = 0;
    const { load } = storedCopies(database.sql);
    const counted = (key: string) => {
      loads++;
      return load(key);
    };
    const own = await serving({ of: { load: counted } });
    await change("d", "old");
    await own.alarms.settle();
    expect(await Promise.all([own.text("d"), own.text("d"), own.text("d")])).toEqual(["old", "old", "old"]);
    expect([await own.text("d"), own.copies.held("d"), loads]).toEqual(["old", { text: "old" }, 1]);
    await change("other", "one");
    await own.alarms.settle();
    expect([await own.text("d"), loads]).toEqual(["old", 1]);
    expect([await change("d", "new"), await own.text("d")]).toEqual(["some", "old"]);
    await own.alarms.settle();
    expect([await by("d"), own.copies.held("d"), await own.text("d"), loads]).toEqual(["all", undefined, "new", 2]);
  });

  it("does not keep what it read while that was changed", async () => {
    let read: () => void = () => undefined;
    let goOn: () => void = () => undefined;
    const hasRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const mayReturn = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    const { load } = storedCopies(database.sql);
    const slowly = async (key: string) => {
      const value = await load(key);
      read();
      await mayReturn;
      return value;
    };
    await change("e", "old");
    const own = await serving({ of: { load: slowly } });
    const before = own.text("e");
    await hasRead;
    await change("e", "new");
    await own.alarms.settle();
    expect(await by("e")).toBe("all");
    const after = own.text("e");
    goOn();
    expect([await before, await after, await own.text("e")]).toEqual(["old", "new", "new"]);
  });

  it("that others do not wait for any more reads what is stored, and begins again without copies", async () => {
    const leaseMs = 300;
    const own = await serving({ leaseMs });
    await change("f", "old");
    await own.alarms.settle();
    expect(await own.text("f")).toBe("old");
    await expect.poll(() => change("f", "new"), SOON).not.toBe("some");
    own.advance(leaseMs);
    expect([own.copies.held("f"), await own.text("f")]).toEqual([undefined, "new"]);
    await change("f", "newer");
    await own.alarms.settle();
    expect([await own.text("f"), own.copies.held("f")]).toEqual(["newer", { text: "newer" }]);
  });

  it("that cannot reach the database fails then, and returns neither an old copy nor that there is none", async () => {
    const away = new Pool({ host: "127.0.0.1", port: await freePort(), connectionTimeoutMillis: 2000 });
    stops.push(() => away.end());
    let pool = database.sql;
    const own = await serving({ of: { load: (key) => storedCopies(pool).load(key) } });
    await change("g", "old");
    await own.alarms.settle();
    expect(await own.text("g")).toBe("old");
    pool = away;
    expect([await own.text("g"), own.copies.held("none")]).toEqual(["old", undefined]);
    own.advance(LONG_MS);
    await expect(own.text("g")).rejects.toThrow("ECONNREFUSED");
    await expect(own.text("none")).rejects.toThrow("ECONNREFUSED");
  });

  it("whose lease ended before it was extended has no copies from before", async () => {
    let afterQuery: () => void = () => undefined;
    const slow = {
      query: async (...args: Parameters<Pool["query"]>) => {
        const result = await database.sql.query(...args);
        afterQuery();
        return result;
      },
    } as unknown as Pool;
    const own = await serving({ sql: slow });
    await change("h", "old");
    await own.alarms.settle();
    expect(await own.text("h")).toBe("old");
    // The answer to the extension takes longer than the lease; a change between is not in it.
    afterQuery = () => {
      own.advance(LONG_MS);
      afterQuery = () => undefined;
    };
    await database.sql.query("UPDATE stored_texts SET text = 'new' WHERE key = 'h'");
    own.alarms.wake("served-copies");
    await own.alarms.settle();
    expect([own.copies.held("h"), await own.text("h"), own.copies.held("h")]).toEqual([
      undefined,
      "new",
      { text: "new" },
    ]);
  });

  it("that has missed more changes than are listed forgets all copies", async () => {
    const own = await serving();
    await change("i", "old");
    await own.alarms.settle();
    expect(await own.text("i")).toBe("old");
    await change("i", "new");
    await database.sql.query("UPDATE served_versions SET version = version + 9999");
    await database.db.$transaction((tx) => recordChange(tx, { topic: TEXTS, key: "j" }));
    const { rows } = await database.sql.query("SELECT key FROM served_changes");
    expect(rows).toEqual([{ key: "j" }]);
    // What is not listed any more counts as served only by who has followed all that.
    expect([await by("i"), await own.text("i")]).toEqual(["some", "old"]);
    await own.alarms.settle();
    expect([await by("i"), await own.text("i")]).toEqual(["all", "new"]);
  });

  it("keeps its copies within their bound for any number of keys", async () => {
    const bytesMax = 20_000;
    const own = await serving({ of: { bytesMax } });
    for (let n = 0; n < 40; n++) await writeText(`k${n}`, String(n).repeat(500))(database.db);
    await writeText("large", "x".repeat(bytesMax))(database.db);
    for (const _ of [1, 2]) for (let n = 0; n < 40; n++) expect(await own.text(`k${n}`)).toBe(String(n).repeat(500));
    expect(await own.text("large")).toHaveLength(bytesMax);
    for (let n = 0; n < 1000; n++) expect(await own.text(`none ${n}`)).toBeUndefined();
    expect(own.copies.bytes).toBeGreaterThan(bytesMax / 2);
    expect(own.copies.bytes).toBeLessThanOrEqual(bytesMax);
  });
});
