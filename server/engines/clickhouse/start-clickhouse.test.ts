import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import type { ClickHouseClient } from "@clickhouse/client";
import { build } from "esbuild";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { SidecarFailure } from "./sidecar-failure";
import { type EmbeddedClickHouse, type StartClickHouse, startClickHouse } from "./start-clickhouse";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const POLL = { timeout: 20_000, interval: 25 };

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
  test("runs with the memory limit and the log file that it was given, and ends with stop", async () => {
    const engine = await start({ memoryMaxBytes: 1_234_567_890 });
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

  test("loses no acknowledged batch and keeps no half of one when it is killed in the middle of inserts", async () => {
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

  test("comes back on the same URL after each death, tells, and its client works again", async () => {
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

  test("stays down when stop comes while it is being restarted", async () => {
    const engine = await start();
    const { url, pid } = engine;
    const died = new Promise((resolve) => engine.onExit(resolve));
    process.kill(pid, "SIGKILL");
    await died;
    await engine.stop();
    expect(isAlive(engine.pid)).toBe(false);
    await expect(fetch(`${url}/ping`)).rejects.toThrow("fetch failed");
    await (await start({ port: Number(new URL(url).port) })).stop();
  });

  test("survives the signals that a terminal sends to the whole group", async () => {
    const engine = await start();
    const onExit = vi.fn();
    engine.onExit(onExit);
    for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.kill(engine.pid, signal);
    await ask(engine.client, "SELECT sleepEachRow(0.1) FROM numbers(5)");
    // The query that keeps the engine alive is what a signal would cancel.
    const kept = "SELECT is_cancelled FROM system.processes WHERE query LIKE 'SELECT sleepEachRow(1)%'";
    expect(await ask(engine.client, kept)).toEqual([{ is_cancelled: 0 }]);
    expect(onExit).not.toHaveBeenCalled();
  });
});

describe("a start that cannot succeed", () => {
  test("refuses a second engine on the directory and leaves the first one alone", async () => {
    const first = await start();
    const refused = await failure(start());
    expect(refused.kind).toBe("locked");
    expect(refused.message).toMatch(/^Another process uses the ClickHouse directory .+; stop it, or set SVC_DATA_DIR/);
    expect(await ask(first.client, "SELECT 1 AS one")).toEqual([{ one: 1 }]);
  });

  test.each([
    ["a web server", undefined],
    ["another ClickHouse", "/somewhere/else/"],
  ])("names the port that belongs to %s", async (_, served) => {
    const other: Server = createServer((_request, response) => response.end(served ?? "<html>hello</html>"));
    await once(other.listen(0, "127.0.0.1"), "listening");
    const { port } = other.address() as AddressInfo;
    const refused = await failure(start({ port }));
    other.close();
    expect(refused.kind).toBe("port_taken");
    expect(refused.message).toContain(`Port ${port}`);
  });

  test("names the directory that is none", async () => {
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

  test("is gone within 5 s, and its directory can be opened at once", async () => {
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
    await vi.waitFor(() => expect(isAlive(pid)).toBe(false), { timeout: 5_000, interval: 20 });
  });
});
