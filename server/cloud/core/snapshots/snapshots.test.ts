import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { build } from "esbuild";
import { pino } from "pino";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { EFFECT_SERVICE, ResourceScene } from "../../../../test/factories/resource-scene";
import { type StartedAlarms, startAlarms } from "../../../engines/start-alarms";
import { systemClock } from "../../../kernel/clock";
import { Families } from "../kinds/families";
import type { DesiredResource, Kind, Observation } from "../kinds/kind";
import { getResource } from "../resources/get-resource";
import { type Follower, followSnapshot } from "./follow-snapshot";
import { observationWhenServed } from "./observation-when-served";
import { forgetReader, newestVersion, nextVersion, recordLoaded, servedVersion } from "./snapshots.sql";

let scene: ResourceScene;
let alarms: StartedAlarms;
let folder = "";
let program = "";
beforeAll(async () => {
  scene = await ResourceScene.open();
  alarms = startAlarms({ sql: scene.database.sql, clock: systemClock, log: pino({ level: "silent" }) });
  folder = await mkdtemp(path.join(import.meta.dirname, "../../../../.build/snapshot-reader-"));
  program = path.join(folder, "reader.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "../../../../test/factories/snapshot-reader-process.ts")],
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    outfile: program,
    logLevel: "error",
  });
});
const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});
afterAll(async () => {
  await alarms.stop();
  await scene.close();
  await rm(folder, { recursive: true });
});

const LEASE_MS = 3000;
const LONG_MS = 60_000;
const change = (topic: string) => scene.database.db.$transaction((tx) => nextVersion(tx, topic));
const served = (topic: string) => servedVersion(scene.database.sql, topic);

/** This process, which loads at once. */
function follow(topic: string, load: () => Promise<void> = async () => undefined): Follower {
  const follower = followSnapshot(
    { sql: scene.database.sql, alarms, process: "own", leaseMs: LONG_MS },
    { topic, load },
  );
  stops.push(() => follower.stop());
  return follower;
}

interface OtherProcess {
  child: ChildProcessByStdio<Writable, Readable, null>;
  /** How often it began to load. */
  loads: () => number;
  goOn: () => void;
}

/** Another process, which loads when it is told to. */
function otherProcess(topic: string): OtherProcess {
  const args = [program, scene.database.url, topic, String(LEASE_MS)];
  const child = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  stops.push(() => child.kill("SIGKILL"));
  let said = "";
  child.stdout.on("data", (chunk) => {
    said += chunk;
  });
  return { child, loads: () => said.split("\n").length - 1, goOn: () => child.stdin.write("go on\n") };
}

describe("a resource that processes serve", () => {
  /** Versions of what is served, by the id of the resource. */
  const versions = new Map<string, bigint>();
  const kind = (topic: string): Kind<object> => ({
    spec: z.strictObject({ size: z.int().default(1) }),
    plan: () => [],
    provision: async (desired) => {
      versions.set(desired.rid, await change(topic));
      return look(topic, desired);
    },
    observe: async (all) => {
      const seen = all.map(async (desired) => [desired.rid, await look(topic, desired)] as const);
      return new Map(await Promise.all(seen));
    },
    remove: async () => true,
    suspend: async () => true,
  });
  const look = async (topic: string, { rid }: DesiredResource<object>): Promise<Observation> =>
    observationWhenServed(versions.get(rid) ?? 0n, await served(topic), {});

  it("is ready when each living process has loaded it; one that was killed counts until its lease ends", async () => {
    scene.families = new Families([
      {
        ...EFFECT_SERVICE,
        label: "Effects",
        summary: "Effects of a test.",
        meters: [],
        skus: [],
        kinds: { effect: kind("two") },
      },
    ]);
    const ctx = await scene.activeClient();
    const own = follow("two");
    const other = otherProcess("two");
    await expect.poll(() => [own.isLive(), other.loads()], { timeout: 30_000 }).toEqual([true, 1]);
    other.goOn();
    await expect.poll(readers, { timeout: 30_000 }).toBe(2);

    const create = scene.create(ctx, "data");
    await expect.poll(other.loads, { timeout: 30_000 }).toBe(2);
    // It lags, and lives on for longer than its lease.
    const made = await create;
    expect(made.state).toBe("provisioning");
    const state = async () => {
      scene.clock.advance(1000);
      await scene.round();
      return (await getResource.run(ctx, { rid: made.rid })).state;
    };
    expect([await state(), await readers()]).toEqual(["provisioning", 2]);
    other.goOn();
    await expect.poll(state, { timeout: 30_000 }).toBe("ready");

    const update = scene.update(ctx, made.rid, { size: 2 });
    await expect.poll(other.loads, { timeout: 30_000 }).toBe(3);
    expect(await state()).toBe("provisioning");
    other.child.kill("SIGKILL");
    await once(other.child, "exit");
    await expect.poll(state, { timeout: 30_000 }).toBe("ready");
    await update;
    await own.stop();
    scene.clock.advance(60_000);
    expect(await state()).toBe("degraded");
  });

  const readers = async () =>
    scene.database.db.snapshotReader.count({ where: { topic: "two", leaseUntil: { gt: new Date() } } });
});

describe("a process that begins to serve", () => {
  const { process, leaseMs } = { process: "late", leaseMs: LONG_MS };
  it("has loaded what others were told to be everywhere", async () => {
    const { sql } = scene.database;
    const topic = "late";
    follow(topic);
    await change(topic);
    await expect.poll(() => served(topic)).toBe(1n);
    const newest = await newestVersion(sql, topic);
    await change(topic);
    await expect.poll(() => served(topic)).toBe(2n);
    const reader = { topic, process, leaseMs };
    expect(await recordLoaded(sql, reader, newest)).toBe(false);
    expect(await served(topic)).toBe(2n);
    expect(await recordLoaded(sql, reader, 2n)).toBe(true);
    // From now on others wait for it.
    await change(topic);
    await expect
      .poll(async () => (await scene.database.db.snapshotReader.findMany({ where: { topic } })).length)
      .toBe(2);
    expect(await served(topic)).toBe(2n);
    await forgetReader(sql, reader);
    await expect.poll(() => served(topic)).toBe(3n);
  });

  it("waits for a change that is being committed", async () => {
    const { sql, db } = scene.database;
    const topic = "at-once";
    await change(topic);
    const reader = { topic, process, leaseMs };
    let began: Promise<boolean> = Promise.resolve(true);
    await db.$transaction(async (tx) => {
      await nextVersion(tx, topic);
      began = recordLoaded(sql, reader, 1n);
      await expect.poll(waiting, { timeout: 10_000 }).toBe(1);
    });
    expect([await began, await served(topic)]).toEqual([false, undefined]);
  });

  it("does not serve before it has loaded, nor when its lease has ended", async () => {
    let loaded: () => void = () => undefined;
    const loading = new Promise<void>((resolve) => {
      loaded = resolve;
    });
    const own = follow("first", () => loading);
    await expect.poll(() => newestVersion(scene.database.sql, "first")).toBe(0n);
    expect([own.isLive(), await served("first")]).toEqual([false, undefined]);
    loaded();
    await expect.poll(() => own.isLive()).toBe(true);
    await own.stop();
    expect([own.isLive(), await served("first")]).toEqual([false, undefined]);
  });

  async function waiting(): Promise<number> {
    const { rows } = await scene.database.sql.query<{ n: number }>(
      "SELECT count(*)::int AS n FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()",
    );
    return rows[0]?.n ?? 0;
  }
});
