import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import pLimit from "p-limit";
import { Client } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { deployMigrations } from "../../../server/engines/postgres/deploy-migrations";
import { readMigrationScripts } from "../../../server/engines/postgres/migration-files";
import { describeSchema } from "../../factories/describe-schema";
import { emptyDatabase } from "../../factories/postgres";
import { isLongRun, sampled } from "../../factories/sampled";
import { killingProxy } from "./killing-proxy";

const rootDir = path.resolve(import.meta.dirname, "../../..");
const MIGRATIONS = readdirSync(path.join(rootDir, "prisma/migrations"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)
  .sort();
/** An upgrade that every version has before it: of each kind of statement one. */
const NEXT = "99991231235959_next";
const NEXT_SQL = `CREATE TABLE next_things (id text PRIMARY KEY);
  ALTER TABLE tenants ADD COLUMN next_thing text REFERENCES next_things (id);
  CREATE INDEX tenants_next_thing_idx ON tenants (next_thing);
  CREATE TRIGGER next_things_wake AFTER INSERT ON next_things EXECUTE FUNCTION wake_rounds('next');
  UPDATE tenants SET next_thing = NULL;`;
const UPGRADES = [...MIGRATIONS, NEXT];
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

function start(url: string, root = rootDir): ChildProcess {
  return fork(program, [url, root, NOW], { execArgv: [], stdio: ["ignore", "ignore", "inherit", "ipc"] });
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
async function deployKilledAt(databaseUrl: string, killAt: number, root = rootDir): Promise<void> {
  let child: ChildProcess | undefined;
  const proxy = await killingProxy(databaseUrl, { killAt, victim: () => child });
  child = start(proxy.url, root);
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
    const from = path.join(rootDir, "prisma/migrations", name);
    if (existsSync(from)) cpSync(from, path.join(folder, name), { recursive: true });
    else {
      mkdirSync(path.join(folder, name));
      writeFileSync(path.join(folder, name, "migration.sql"), NEXT_SQL);
    }
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

  const isNew = (count: number) => count >= UPGRADES.length - NEWEST;

  it.each(
    sampled(
      range(1, UPGRADES.length - 1).filter((count) => isNew(count) || count % OLDER_EVERY === 0),
      UPGRADES_MAX,
    ),
  )(
    "from migration %i, at commands of the next one, leaves what the next start completes",
    async (count) => {
      for (; applied < count; applied++) await deployMigrations(before.url, rootOf(UPGRADES.slice(0, applied + 1)));
      const root = rootOf(UPGRADES.slice(0, count + 1));
      const counted = await emptyDatabase(before.url);
      const [next, nothing] = [await commandsOf(counted.url, root), await commandsOf(counted.url, root)];
      expect(next - nothing).toBeGreaterThanOrEqual(4);
      const upgraded = await migratedSchemaOf(counted.url);
      const all = range(nothing, next);
      const killed = isNew(count) ? all : [Math.ceil((nothing + next) / 2)];
      await onCopies(killed, before.url, async (url, killAt) => {
        await deployKilledAt(url, killAt, root);
        await deployMigrations(url, root);
        expect(await migratedSchemaOf(url)).toEqual(upgraded);
      });
      // From the same schema on, the other migrations do the same: the next case begins with it.
      await before.close();
      [before, applied] = [counted, count + 1];
    },
    300_000,
  );

  it("ends with what a first start makes", async () => {
    const first = await emptyDatabase();
    await deployMigrations(first.url, rootOf(UPGRADES));
    expect(await migratedSchemaOf(before.url)).toEqual(await migratedSchemaOf(first.url));
    await first.close();
  });
});

describe("kill -9 of a start that adopts the schema of the migrations before the baseline", () => {
  it("at any of its commands leaves what the next start completes", async () => {
    const [baseline] = await readMigrationScripts(rootDir);
    const before = await databaseAfter(1);
    const client = new Client({ connectionString: before.url });
    await client.connect();
    await client.query("UPDATE _prisma_migrations SET migration_name = $1", [baseline?.replaces]);
    await client.query("INSERT INTO tenants (id, name, created_at) VALUES ('ten_1', 'Kept', now())");
    await client.end();
    const counted = await emptyDatabase(before.url);
    const [next, nothing] = [await commandsOf(counted.url, rootDir), await commandsOf(counted.url, rootDir)];
    await onCopies(range(nothing, next), before.url, async (url, killAt) => {
      await deployKilledAt(url, killAt);
      await expectMigrated(url);
      expect(await linesOf(url, [], ["SELECT name AS line FROM tenants"])).toEqual(["Kept"]);
    });
    await Promise.all([before.close(), counted.close()]);
  }, 300_000);
});

/** Commands by which a database gets the migrations of `root`. */
async function commandsOf(databaseUrl: string, root: string): Promise<number> {
  const proxy = await killingProxy(databaseUrl, { killAt: 0, victim: () => undefined });
  await deployMigrations(proxy.url, root);
  proxy.close();
  return proxy.commands();
}
