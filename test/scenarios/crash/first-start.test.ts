import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import pLimit from "p-limit";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployMigrations } from "../../../server/engines/postgres/deploy-migrations";
import { describeSchema } from "../../../server/engines/postgres/describe-schema";
import { migrationStatus } from "../../../server/engines/postgres/migrate";
import { emptyDatabase } from "../../factories/postgres";
import { isLongRun, sampled } from "../../factories/sampled";
import { killingProxy } from "./killing-proxy";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const MIGRATIONS = readdirSync(path.join(rootDir, "prisma/migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
const NOW = "2031-03-01T00:00:00.000Z";
/** How many commands of a first start are interrupted, of its migrations and of what comes after them. */
const SAMPLES = isLongRun ? 8 : 5;
/** Upgrades by one of the newest migrations are interrupted at every command; by every fourth older one, none of which has changed since, at one. */
const NEWEST = 4;
const OLDER_EVERY = 4;
/** Of those upgrades, how many a run that is not long interrupts; the first one and the newest among them. */
const UPGRADES_MAX = 6;
const SIDE_BY_SIDE = 3;

/** For modules in CommonJS within a bundle. */
const REQUIRE = `import { createRequire } from "node:module"; const require = createRequire(import.meta.url);`;

const builds = path.join(rootDir, ".build/test");
mkdirSync(builds, { recursive: true });
const dir = mkdtempSync(path.join(builds, "deploy-"));
const program = path.join(dir, "deploying-process.mjs");
const base = mkdtempSync(path.join(os.tmpdir(), "svc-first-start-"));
let migrated: string[];
let whole: string[];
beforeAll(async () => {
  await build({
    entryPoints: [path.join(import.meta.dirname, "deploying-process.ts")],
    outdir: dir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    // Several hundred starts: the driver is in the bundle, and what a migration does not need is loaded after it.
    splitting: true,
    external: ["pg-native", "graphile-worker"],
    banner: { js: REQUIRE },
    platform: "node",
    format: "esm",
  });
  const database = await emptyDatabase();
  expect(await deploy(database.url)).toBe(0);
  [migrated, whole] = [await migratedSchemaOf(database.url), await schemaOf(database.url)];
  await database.close();
});
afterAll(() => {
  for (const one of [dir, base]) rmSync(one, { recursive: true, force: true });
});

function start(url: string): ChildProcess {
  return fork(program, [url, rootDir, NOW], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
}

/** A whole start; resolves with its exit code. */
async function deploy(url: string): Promise<number | null> {
  const [code] = await once(start(url), "exit");
  return code as number | null;
}

/** Commands of a start that nothing interrupts: those up to the last migration, and all. */
async function countCommands(databaseUrl: string): Promise<{ migrations: number; all: number }> {
  const proxy = await killingProxy(databaseUrl, { killAt: 0, victim: () => undefined });
  await deployMigrations(proxy.url, rootDir);
  const migrations = proxy.commands();
  expect(await deploy(proxy.url)).toBe(0);
  proxy.close();
  return { migrations, all: proxy.commands() };
}

/** A start that dies instead of sending its command number `killAt`. */
async function deployKilledAt(databaseUrl: string, killAt: number): Promise<void> {
  let child: ChildProcess | undefined;
  const proxy = await killingProxy(databaseUrl, { killAt, victim: () => child });
  child = start(proxy.url);
  const [, signal] = await once(child, "exit");
  proxy.close();
  expect(signal, `the start ends at command ${killAt}`).toBe("SIGKILL");
}

const APPLIED = `SELECT 'applied ' || migration_name || ' ' || checksum AS line FROM public._prisma_migrations WHERE finished_at IS NOT NULL`;
const JOBS_AND_PARTITIONS = `SELECT 'partition ' || relname AS line FROM pg_class WHERE relispartition AND relkind = 'r'
  UNION ALL SELECT 'job queue ' || id FROM graphile_worker.migrations`;

/** What migrations make, and the record of them. */
const migratedSchemaOf = (url: string): Promise<string[]> => linesOf(url, ["public"], [APPLIED]);

/** Everything in the schemas of svc and of its job queue, with the partitions and the record of migrations. */
const schemaOf = (url: string): Promise<string[]> =>
  linesOf(url, ["public", "graphile_worker"], [APPLIED, JOBS_AND_PARTITIONS]);

async function linesOf(url: string, schemas: readonly string[], queries: readonly string[]): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("BEGIN");
    const lines: string[] = [];
    for (const schema of schemas) lines.push(...(await describeSchema(client, schema)));
    for (const query of queries)
      lines.push(...(await client.query<{ line: string }>(query)).rows.map(({ line }) => line));
    return lines.sort();
  } finally {
    await client.end();
  }
}

/** Runs each case on a copy of a database, a few at a time. */
async function onCopies<C>(
  cases: readonly C[],
  of: string,
  run: (url: string, one: C) => Promise<void>,
): Promise<void> {
  const limit = pLimit(SIDE_BY_SIDE);
  await Promise.all(
    cases.map((one) =>
      limit(async () => {
        const copy = await emptyDatabase(of);
        await run(copy.url, one).finally(copy.close);
      }),
    ),
  );
}

async function expectWhole(url: string): Promise<void> {
  expect(await deploy(url)).toBe(0);
  expect(await schemaOf(url)).toEqual(whole);
}

/** As `expectWhole`, without what comes after the migrations. */
async function expectMigrated(url: string): Promise<void> {
  await deployMigrations(url, rootDir);
  expect(await migratedSchemaOf(url)).toEqual(migrated);
}

type Database = Awaited<ReturnType<typeof emptyDatabase>>;

/** A database as the first `count` migrations leave it. */
async function databaseAfter(count: number): Promise<Database> {
  const database = await emptyDatabase();
  await deployMigrations(database.url, rootOf(MIGRATIONS.slice(0, count)));
  return database;
}

function rootOf(names: readonly string[]): string {
  const root = mkdtempSync(path.join(base, "root-"));
  const folder = path.join(root, "prisma/migrations");
  mkdirSync(folder, { recursive: true });
  for (const name of names) {
    cpSync(path.join(rootDir, "prisma/migrations", name), path.join(folder, name), { recursive: true });
  }
  cpSync(path.join(rootDir, "prisma/schema"), path.join(root, "prisma/schema"), { recursive: true });
  return root;
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, i) => from + i);

describe("kill -9 of a first start", () => {
  it("in its migrations leaves what the next start completes to the same schema", async () => {
    const [empty, counted] = [await emptyDatabase(), await emptyDatabase()];
    const { migrations } = await countCommands(counted.url);
    expect(migrations).toBeGreaterThan(4 * MIGRATIONS.length);
    const samples = range(1, SAMPLES).map((i) => Math.ceil((i * migrations) / SAMPLES));
    await onCopies([1, 2, 3, ...samples], empty.url, async (url, killAt) => {
      await deployKilledAt(url, killAt);
      await expectMigrated(url);
    });
    await Promise.all([empty.close(), counted.close()]);
  }, 400_000);

  it("while it makes the job queue and the partitions leaves what the next start completes", async () => {
    const before = await databaseAfter(MIGRATIONS.length);
    const counted = await emptyDatabase(before.url);
    const { migrations, all } = await countCommands(counted.url);
    const step = (all - 2 * migrations) / SAMPLES;
    const samples = range(0, SAMPLES - 1).map((i) => Math.ceil(migrations + 1 + i * step));
    await onCopies(samples, before.url, async (url, killAt) => {
      await deployKilledAt(url, killAt);
      await expectWhole(url);
    });
    await Promise.all([before.close(), counted.close()]);
  }, 300_000);

  it("at any time, three times in a row, is completed by the fourth start", async () => {
    const empty = await emptyDatabase();
    await onCopies(range(1, 5), empty.url, async (url) => {
      for (let kills = 0; kills < 3; kills++) {
        const child = start(url);
        const timer = setTimeout(() => child.kill("SIGKILL"), 150 + Math.random() * 700);
        await once(child, "exit");
        clearTimeout(timer);
      }
      await expectWhole(url);
    });
    await empty.close();
  }, 300_000);
});

describe("kill -9 of an upgrade", () => {
  let before: Database;
  let applied = 1;
  beforeAll(async () => {
    before = await databaseAfter(applied);
  });
  afterAll(() => before.close());

  const isNew = (count: number) => count >= MIGRATIONS.length - NEWEST;

  it.each(
    sampled(
      range(1, MIGRATIONS.length - 1).filter((count) => isNew(count) || count % OLDER_EVERY === 0),
      UPGRADES_MAX,
    ),
  )(
    "from migration %i, at commands of the next one, leaves what the next start completes",
    async (count) => {
      for (; applied < count; applied++) await deployMigrations(before.url, rootOf(MIGRATIONS.slice(0, applied + 1)));
      const root = rootOf(MIGRATIONS.slice(0, count + 1));
      const counted = await emptyDatabase(before.url);
      const [next, nothing] = [await commandsOf(counted.url, root), await commandsOf(counted.url, root)];
      expect(next - nothing).toBeGreaterThanOrEqual(4);
      const upgraded = await migratedSchemaOf(counted.url);
      const all = range(nothing, next);
      const killed = isNew(count) ? all : [Math.ceil((nothing + next) / 2)];
      await onCopies(killed, before.url, async (url, killAt) => {
        await deployKilledAt(url, killAt);
        await deployMigrations(url, root);
        expect(await migratedSchemaOf(url)).toEqual(upgraded);
      });
      // From the same schema on, the other migrations do the same: the next case begins with it.
      await before.close();
      [before, applied] = [counted, count + 1];
    },
    300_000,
  );

  it("ends with what a first start makes", async () => expect(await migratedSchemaOf(before.url)).toEqual(migrated));
});

/** Commands by which a database gets the migrations of `root`. */
async function commandsOf(databaseUrl: string, root: string): Promise<number> {
  const proxy = await killingProxy(databaseUrl, { killAt: 0, victim: () => undefined });
  await deployMigrations(proxy.url, root);
  proxy.close();
  return proxy.commands();
}

/** Those that were applied by Prisma's engine, which records a migration before its script and after it. */
const BY_PRISMA = MIGRATIONS.filter((name) => name <= "20261121121012_platform");

describe("a start that an earlier svc left half-way", () => {
  const leave = async (count: number, isApplied: boolean) => {
    const database = await databaseAfter(count - 1);
    const name = MIGRATIONS[count - 1] ?? "";
    const script = readFileSync(path.join(rootDir, "prisma/migrations", name, "migration.sql"), "utf8");
    const client = new Client({ connectionString: database.url });
    await client.connect();
    await client.query(
      "INSERT INTO _prisma_migrations (id, checksum, migration_name) VALUES (gen_random_uuid()::text, repeat('0', 64), $1)",
      [name],
    );
    if (isApplied) await client.query(script);
    return { database, client, name };
  };

  it.each(
    sampled(
      BY_PRISMA.map((_, i) => [i + 1, i % 2 === 0] as const),
      2,
    ),
  )(
    "in migration %i (script applied: %s) is completed, and Prisma finds nothing to complain of",
    async (count, isApplied) => {
      const { database, client } = await leave(count, isApplied);
      // What operators and partitions add does not disturb.
      if (count > 1) await client.query("CREATE INDEX own_idx ON campaigns (name)");
      await client.end();
      await deployMigrations(database.url, rootDir);
      const status = await migrationStatus(database.url, rootDir);
      expect(status.failedMigrationNames).toEqual([]);
      expect(status.history).toBeNull();
      expect(await deploy(database.url)).toBe(0);
      const made = (await schemaOf(database.url)).filter((line) => !line.includes("own_idx"));
      expect(made.map(withoutChecksum)).toEqual(whole.map(withoutChecksum));
      await database.close();
    },
    300_000,
  );

  it("with a part of a migration, which none of its statements can explain, is refused with what is missing", async () => {
    const { database, client, name } = await leave(2, true);
    await client.query("DROP INDEX offers_user_key_idx");
    await client.end();
    await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(
      new RegExp(`${name} was interrupted and is only partly applied \\(missing: .*offers_user_key_idx`),
    );
    await database.close();
  });
});

const withoutChecksum = (line: string): string => (line.startsWith("applied ") ? line.replace(/ \w{64}$/, "") : line);
