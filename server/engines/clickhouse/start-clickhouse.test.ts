import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { build } from "esbuild";
import { type Logger, pino } from "pino";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SidecarFailure } from "./sidecar-failure";
import { type EmbeddedClickHouse, type StartClickHouse, startClickHouse } from "./start-clickhouse";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const POLL = { timeout: 60_000, interval: 25 };

let dir: string;
const engines: EmbeddedClickHouse[] = [];

beforeEach(async () => {
  dir = await mkdtemp(path.join(tmpdir(), "clickhouse-"));
});

afterEach(async () => {
  await Promise.all(engines.splice(0).map((engine) => engine.stop()));
  await rm(dir, { recursive: true, force: true });
});

async function start(options: Partial<StartClickHouse> = {}): Promise<EmbeddedClickHouse> {
  const engine = await startClickHouse({ rootDir, dir: path.join(dir, "data"), ...options });
  engines.push(engine);
  return engine;
}

async function ask<T>(client: ClickHouseClient, query: string): Promise<T[]> {
  return (await client.query({ query, format: "JSONEachRow" })).json<T>();
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

const failure = (started: Promise<unknown>): Promise<SidecarFailure> =>
  started.then(
    () => Promise.reject(new Error("it started")),
    (cause: unknown) => (cause instanceof SidecarFailure ? cause : Promise.reject(cause)),
  );

describe("an embedded ClickHouse", () => {
  test("runs with the given memory limit and log file, and exits at stop", async () => {
    const grants = ["GRANT SELECT ON system.server_settings"];
    const engine = await start({ memoryMaxBytes: 1_234_567_890, grants });
    const settings = await ask<{ name: string; value: string }>(
      engine.client,
      "SELECT name, value FROM system.server_settings WHERE name IN ('max_server_memory_usage', 'logger.level') ORDER BY name",
    );
    expect(settings).toEqual([
      { name: "logger.level", value: "warning" },
      { name: "max_server_memory_usage", value: "1234567890" },
    ]);
    await expect(ask(engine.client, "SELECT no_such_column")).rejects.toThrow("no_such_column");
    const log = path.join(dir, "data", "engine.log");
    await vi.waitFor(async () => expect(await readFile(log, "utf8")).toContain("no_such_column"), POLL);
    const { pid } = engine;
    expect(isAlive(pid)).toBe(true);
    await engine.stop();
    expect(isAlive(pid)).toBe(false);
  });

  test("loses no acknowledged batch and keeps no partial one when it is killed during inserts", async () => {
    const engine = await start();
    await engine.client.command({
      query: "CREATE TABLE batches (batch UInt32, row UInt32) ENGINE = MergeTree ORDER BY batch",
    });
    const rowsOfBatch = 500;
    const acknowledged = new Set<number>();
    let isOver = false;
    const write = async (first: number) => {
      for (let batch = first; !isOver; batch += 4) {
        const values = Array.from({ length: rowsOfBatch }, (_, row) => ({ batch, row }));
        await engine.client.insert({ table: "batches", values, format: "JSONEachRow" }).then(
          () => acknowledged.add(batch),
          () => undefined,
        );
      }
    };
    const writers = [0, 1, 2, 3].map(write);
    for (let kill = 1; kill <= 2; kill++) {
      const before = acknowledged.size;
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before + 20), POLL);
      const { pid } = engine;
      process.kill(pid, "SIGKILL");
      await vi.waitFor(() => expect(engine.pid).not.toBe(pid), POLL);
    }
    isOver = true;
    await Promise.all(writers);
    const found = await ask<{ batch: number; rows: number }>(
      engine.client,
      "SELECT batch, toUInt32(count()) AS rows FROM batches GROUP BY batch",
    );
    expect(found.filter(({ rows }) => rows !== rowsOfBatch)).toEqual([]);
    const stored = new Set(found.map(({ batch }) => batch));
    expect([...acknowledged].filter((batch) => !stored.has(batch))).toEqual([]);
  });

  test("restarts on the same URL after each crash, reports it, and its client works again", async () => {
    const engine = await start();
    const onExit = vi.fn();
    engine.onExit(onExit);
    const { url } = engine;
    for (let death = 1; death <= 3; death++) {
      const { pid } = engine;
      process.kill(pid, "SIGKILL");
      await vi.waitFor(async () => {
        expect(engine.pid).not.toBe(pid);
        expect(await ask(engine.client, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
      }, POLL);
      expect(onExit).toHaveBeenCalledTimes(death);
    }
    expect(onExit.mock.lastCall?.[0]).toMatchObject({ signal: "SIGKILL" });
    expect(engine.url).toBe(url);
  });

  test("stays stopped when stop is called during a restart", async () => {
    const engine = await start();
    const { url, pid } = engine;
    const died = new Promise((resolve) => engine.onExit(resolve));
    process.kill(pid, "SIGKILL");
    await died;
    await engine.stop();
    expect(isAlive(engine.pid)).toBe(false);
    await expect(fetch(new URL("/ping", `http://${new URL(url).host}`))).rejects.toThrow("fetch failed");
    await (await start({ port: Number(new URL(url).port) })).stop();
  });

  test("starts no write with less than 64 MB of free space", async () => {
    const engine = await start({ grants: ["GRANT SELECT ON system.disks"] });
    expect(await ask(engine.client, "SELECT name, keep_free_space FROM system.disks")).toEqual([
      { name: "default", keep_free_space: String(64 * 2 ** 20) },
    ]);
  });

  test("restores the sources of a merge that a full disk left empty", async () => {
    let free = 500 * 2 ** 20;
    const freeBytes = vi.fn(async () => free);
    const engine = await start({ freeBytes, grants: ["GRANT OPTIMIZE ON *.*"] });
    const count = () => ask(engine.client, "SELECT toUInt32(sum(n)) AS sum FROM numbers_of_a_disk");
    await engine.client.command({ query: "CREATE TABLE numbers_of_a_disk (n UInt32) ENGINE = MergeTree ORDER BY n" });
    for (let n = 1; n <= 4; n++)
      await engine.client.insert({ table: "numbers_of_a_disk", values: [{ n }], format: "JSONEachRow" });
    await engine.client.command({ query: "OPTIMIZE TABLE numbers_of_a_disk FINAL" });
    const [part] = await ask<{ path: string }>(
      engine.client,
      "SELECT path FROM system.parts WHERE active AND table = 'numbers_of_a_disk' AND level > 0",
    );
    const { pid } = engine;
    free = 0;
    freeBytes.mockClear();
    await vi.waitFor(() => expect(freeBytes).toHaveBeenCalled(), POLL);
    for (const file of await readdir(part?.path ?? "")) await truncate(path.join(part?.path ?? "", file));
    await expect(count()).rejects.toThrow("marks file");
    free = 500 * 2 ** 20;
    await vi.waitFor(() => expect(engine.pid).not.toBe(pid), POLL);
    await vi.waitFor(async () => expect(await count()).toEqual([{ sum: 10 }]), POLL);
  });

  test("survives the signals that a terminal sends to the whole group", async () => {
    const engine = await start({ grants: ["GRANT SELECT ON system.processes"] });
    const onExit = vi.fn();
    engine.onExit(onExit);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(engine.pid, signal);
    await ask(engine.client, "SELECT sleepEachRow(0.1) FROM numbers(5)");
    // A signal would cancel the query that keeps the engine alive.
    const kept = "SELECT is_cancelled FROM system.processes WHERE query LIKE 'SELECT sleepEachRow(1)%'";
    expect(await ask(engine.client, kept)).toEqual([{ is_cancelled: 0 }]);
    expect(onExit).not.toHaveBeenCalled();
  });
});

describe("a kernel that", () => {
  /** A copy of the engine's program that reports the given restrictions. */
  async function programOn(confined: string): Promise<string> {
    const builds = path.join(rootDir, ".build/test");
    await mkdir(builds, { recursive: true });
    const root = await mkdtemp(path.join(builds, "confined-"));
    roots.push(root);
    const folder = path.join(root, "server/engines/clickhouse");
    await mkdir(folder, { recursive: true });
    for (const file of ["sidecar.mjs", "sidecar-engine.mjs", "repair-deduplication.mjs"])
      await copyFile(path.join(import.meta.dirname, file), path.join(folder, file));
    await writeFile(path.join(folder, "confine.mjs"), `export const confineThread = () => "${confined}";`);
    return root;
  }
  const roots: string[] = [];
  afterEach(async () => {
    for (const root of roots.splice(0)) await rm(root, { recursive: true });
  });

  test.each([
    [
      "nothing",
      /no Landlock.*every file that svc can read.*network connections; run svc on Linux 6\.7 .*CLICKHOUSE_URL/,
    ],
    ["files", /to its own folder, but does not prevent it from opening network connections; run svc on Linux 6\.7/],
  ])("restricts %s of the engine is logged once at the start, with what to do", async (confined, sentence) => {
    const warn = vi.fn();
    const log = { ...pino({ level: "silent" }), warn, error: vi.fn() } as unknown as Logger;
    const engine = await start({ rootDir: await programOn(confined), log });
    await vi.waitUntil(() => warn.mock.calls.length > 0, POLL);
    expect(warn.mock.calls).toEqual([[expect.stringMatching(sentence)]]);
    const { pid } = engine;
    process.kill(pid, "SIGKILL");
    await vi.waitUntil(() => engine.pid !== pid && isAlive(engine.pid), POLL);
    await vi.waitUntil(() => ask(engine.client, "SELECT 1").then(Boolean, () => false), POLL);
    expect(warn).toHaveBeenCalledTimes(1);
  });

  test("restricts the engine completely is not logged", async () => {
    const warn = vi.fn();
    const log = { ...pino({ level: "silent" }), warn, error: vi.fn() } as unknown as Logger;
    await start({ rootDir: await programOn("files_and_network"), log });
    expect(warn).not.toHaveBeenCalled();
  });
});

describe("a start that cannot succeed", () => {
  test("rejects a second engine on the directory and does not affect the first one", async () => {
    const first = await start();
    const refused = await failure(start());
    expect(refused.kind).toBe("locked");
    expect(refused.message).toMatch(/^Another process uses the ClickHouse directory .+; stop it, or set SVC_DATA_DIR/);
    expect(await ask(first.client, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test.each([
    ["a web server", undefined],
    ["another ClickHouse", "/somewhere/else/"],
  ])("names the port that %s uses", async (_, served) => {
    const other: Server = createServer((_request, response) => response.end(served ?? "<html>hello</html>"));
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const refused = await failure(start({ port }));
    other.close();
    expect(refused.kind).toBe("port_taken");
    expect(refused.message).toContain(`Port ${port}`);
  });

  test("names the path that is not a directory", async () => {
    await writeFile(path.join(dir, "file"), "");
    const refused = await failure(start({ dir: path.join(dir, "file") }));
    expect(refused.kind).toBe("unreadable");
    expect(refused.message).toContain(path.join(dir, "file"));
  });
});

describe("an engine whose parent was killed with -9", () => {
  let parent: ChildProcess | undefined;
  afterEach(() => {
    parent?.kill("SIGKILL");
  });

  test("exits, and its directory can be opened at once", async () => {
    const file = path.join(dir, "parent.cjs");
    await build({
      stdin: {
        contents: `import { startClickHouse } from "./start-clickhouse";
          startClickHouse(${JSON.stringify({ rootDir, dir: path.join(dir, "data") })}).then((engine) => {
            process.stdout.write(String(engine.pid));
            setInterval(() => {}, 1e6);
          });`,
        resolveDir: import.meta.dirname,
        loader: "ts",
      },
      outfile: file,
      bundle: true,
      platform: "node",
      format: "cjs",
      logLevel: "silent",
    });
    parent = spawn(process.execPath, [file], { stdio: ["ignore", "pipe", "inherit"] });
    const pid = Number(String(await once(parent.stdout ?? process.stdin, "data")));
    expect(isAlive(pid)).toBe(true);
    parent.kill("SIGKILL");
    await start();
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), POLL);
  });
});
