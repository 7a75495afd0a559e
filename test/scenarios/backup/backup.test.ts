import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { gunzipSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { blobFile } from "../../../server/engines/objects/file-blob-store";
import { openBlobStore } from "../../../server/engines/objects/open-blob-store";
import { createBackup } from "../../../server/operators/backup/create-backup";
import type { Installation } from "../../../server/operators/backup/installation";
import type { Manifest } from "../../../server/operators/backup/manifest";
import { restoreBackup } from "../../../server/operators/backup/restore-backup";
import { eventually } from "../../factories/app";
import { chunked } from "../../factories/blob-store-contract";
import { testClickHouse } from "../../factories/clickhouse";
import { fileFolder } from "../../factories/file-folder";
import { freePort } from "../../factories/free-port";
import { emptyDatabase } from "../../factories/postgres";
import { makeEmptyPlace, type ServerProcess, startProcess } from "../crash/server-process";
import { askOffers, drive, expectExact, follow, Ledger, look, report } from "../crash/traffic";

const rootDir = path.resolve(import.meta.dirname, "../../..");
/** Events before the backup begins, and at least as many after it. */
const EVENTS = 300;

const base = fileFolder("svc-backup-");
const place = await makeEmptyPlace();
const server = await startProcess(place);
afterAll(async () => {
  await server?.stop();
  place?.remove();
}, 300_000);

const installationAt = (dataDir: string, more: Partial<Installation> = {}): Installation => ({
  rootDir,
  dataDir,
  secret: undefined,
  databaseUrl: undefined,
  clickhouseUrl: undefined,
  redisUrl: undefined,
  retentionRawDays: 400,
  retentionRollupDays: 1825,
  ...more,
});
const inBase = (name: string): string => path.join(base, name);
const progress = () => undefined;
const backUp = (folder: string) => createBackup({ installation: installationAt(place.dataDir), folder, progress });
const restore = (dataDir: string, folder: string, more: Partial<Installation> = {}) =>
  restoreBackup({ installation: installationAt(dataDir, more), folder, progress });

async function createChannel({ url, keys }: ServerProcess, name: string): Promise<void> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${keys.live}` };
  const made = await fetch(`${url}/v1/ads/channels`, { method: "POST", headers, body: JSON.stringify({ name }) });
  expect(made.status).toBe(201);
}

const BLOB = "ten_1/bkt_1/obj_1";
const CONTENT = Buffer.alloc(700_000, "stored object ");
const blobsOf = (dataDir: string) => openBlobStore({ dataDir, objectsDiskShare: 1 });

const demoOf = (dataDir: string) =>
  JSON.parse(readFileSync(path.join(dataDir, "demo.json"), "utf8")) as {
    dashboard: { email: string; password: string };
    api: { live_key: string; tenant_id: string };
    channel: { server_key: string };
  };

describe("a backup of a server under load", () => {
  const known = new Ledger();
  const before = { served: new Set<string>(), seen: new Set<string>(), clicked: new Map<string, string>() };
  let manifest: Manifest;
  const backup = () => inBase("backup");
  const restored = () => inBase("restored");

  /** A copy of the backup with one file changed. */
  function changed(name: string, file: string, change: (bytes: Buffer) => Buffer | string): string {
    const folder = inBase(name);
    cpSync(backup(), folder, { recursive: true });
    writeFileSync(path.join(folder, file), change(readFileSync(path.join(folder, file))));
    return folder;
  }
  const manifestWith = (name: string, change: (manifest: Manifest) => unknown): string =>
    changed(name, "manifest.json", (bytes) => JSON.stringify(change(JSON.parse(bytes.toString()) as Manifest)));

  /** One request for offers, and a report and a click of an offer that was looked at, each answered as always. */
  async function expectAnswers(offer: string | undefined): Promise<void> {
    const served = await askOffers(server);
    expect(served?.length).toBeGreaterThan(0);
    for (const id of served ?? []) known.served.add(id);
    if (!offer) return;
    expect(await report(server, [offer])).toBe(204);
    known.seen.add(offer);
    const clickId = await follow(server, offer);
    expect(clickId).toBeDefined();
    known.clicked.set(offer, clickId ?? "");
  }

  it("is made while offers, impressions and clicks go on being answered", async () => {
    let isOver = false;
    const load = drive(server, known, () => isOver);
    await eventually(() => known.seen.size >= EVENTS, 60_000);
    await createChannel(server, "before the backup");
    const offers = (await askOffers(server)) ?? [];
    for (const id of offers) known.served.add(id);
    await (await blobsOf(place.dataDir)).put(BLOB, chunked(CONTENT));
    await look();
    before.served = new Set(known.served);
    before.seen = new Set(known.seen);
    before.clicked = new Map(known.clicked);
    const atEachStep: Promise<void>[] = [];
    manifest = await createBackup({
      installation: installationAt(place.dataDir),
      folder: backup(),
      progress: () => {
        if (atEachStep.length === 0) {
          atEachStep.push(expect(backUp(inBase("second"))).rejects.toThrow("Another backup is running"));
        }
        atEachStep.push(expectAnswers(offers.pop()));
      },
    });
    expect(offers).toEqual([]);
    await Promise.all(atEachStep);
    await createChannel(server, "after the backup");
    const during = known.seen.size;
    await eventually(() => known.seen.size >= during + EVENTS, 60_000);
    isOver = true;
    await load;
    expect([known.seenUnanswered.size, known.clickUnanswered.size]).toEqual([0, 0]);
    await expectExact(server, known);
  }, 300_000);

  it("holds the secret in the file of that name and nowhere else, and no key or password, for its owner alone", () => {
    const secret = readFileSync(path.join(place.dataDir, "secret"), "utf8");
    const { dashboard, api, channel } = demoOf(place.dataDir);
    expect(statSync(backup()).mode & 0o777).toBe(0o700);
    const files = readdirSync(backup(), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.length).toBeGreaterThan(20);
    for (const entry of files) {
      const file = path.join(entry.parentPath, entry.name);
      expect(statSync(file).mode & 0o777, file).toBe(0o600);
      const bytes = readFileSync(file);
      const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("latin1");
      expect(text.includes(secret), file).toBe(entry.name === "secret");
      for (const key of [api.live_key, channel.server_key, dashboard.password]) expect(text).not.toContain(key);
    }
  });

  it("that fails half way leaves an empty target, which then takes the backup", async () => {
    const short = manifestWith("short", ({ postgres, ...one }) => ({
      ...one,
      postgres: { ...postgres, tables: postgres.tables.map((entry) => ({ ...entry, rows: entry.rows + 1 })) },
    }));
    await expect(restore(restored(), short)).rejects.toThrow(/restored \d+ of \d+ rows/);
    expect(existsSync(path.join(restored(), "objects"))).toBe(false);
    expect(await restore(restored(), backup())).toEqual(manifest);
    expect(manifest.objects).toMatchObject({ rows: 1 });
    expect(await (await blobsOf(restored())).verify(BLOB, CONTENT.length)).toBe("ok");
  }, 300_000);

  it("brings back every event of its moment exactly once, in tables, sums and ledger, and none that came later", async () => {
    // The demo's own keys are in no backup; with its file it keeps them.
    cpSync(path.join(place.dataDir, "demo.json"), path.join(restored(), "demo.json"));
    const copy = await startProcess({ ...place, dataDir: restored(), port: await freePort() });
    try {
      const offers = await copy.rows("postgres", "SELECT id, seen_at, click_id FROM offers");
      const then = new Ledger();
      for (const { id, seen_at, click_id } of offers) {
        // Of a request that nobody had an answer to yet, Postgres may hold the offers before the file of events does.
        if (before.served.has(String(id)) || seen_at) then.served.add(String(id));
        if (seen_at) then.seen.add(String(id));
        if (click_id) then.clicked.set(String(id), String(click_id));
      }
      expect([...before.served].filter((id) => !then.served.has(id))).toEqual([]);
      expect([...before.seen].filter((id) => !then.seen.has(id))).toEqual([]);
      expect([...before.clicked.keys()].filter((id) => !then.clicked.has(id))).toEqual([]);
      expect([...then.seen].filter((id) => !known.seen.has(id))).toEqual([]);
      expect(then.seen.size).toBeLessThan(known.seen.size);
      await expectRows(copy);
      await expectExact(copy, then);
      const late = await copy.rows("postgres", `SELECT 1 FROM ledger WHERE at > '${manifest.at}'`);
      expect(late).toEqual([]);
      const channels = await copy.rows("postgres", "SELECT name FROM channels WHERE name LIKE '% the backup'");
      expect(channels).toEqual([{ name: "before the backup" }]);
      await expectAccess(copy);
    } finally {
      expect(await copy.stop()).toBe(0);
    }
  }, 300_000);

  /** What no start and no delivery of events changes. */
  async function expectRows(copy: ServerProcess): Promise<void> {
    const lasting = ["advertisers", "campaigns", "creatives", "ledger", "campaign_spend", "offers", "users", "tenants"];
    for (const { table, rows } of manifest.postgres.tables.filter((entry) => lasting.includes(entry.table))) {
      expect(await copy.rows("postgres", `SELECT '${table}' AS table, count(*) AS rows FROM ${table}`)).toEqual([
        { table, rows: String(rows) },
      ]);
    }
    expect(manifest.postgres.tables.find(({ table }) => table === "ledger")?.rows).toBeGreaterThan(0);
  }

  async function expectAccess(copy: ServerProcess): Promise<void> {
    const { dashboard, api } = demoOf(place.dataDir);
    const verified = await fetch(`${copy.url}/v1/audit/verify`, {
      headers: { authorization: `Bearer ${api.live_key}` },
    });
    expect(await verified.json()).toMatchObject({ valid: true, entries: expect.any(Number) });
    const login = await fetch(`${copy.url}/v1/auth/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(dashboard),
    });
    expect(login.status).toBe(200);
    expect((await askOffers(copy))?.length).toBeGreaterThan(0);
  }

  it("moves into engines of one's own, whose backup leaves SVC_SECRET out", async () => {
    const [postgres, clickhouse] = [await emptyDatabase(), await testClickHouse()];
    const secret = readFileSync(path.join(backup(), "secret"), "utf8");
    const own = { secret, databaseUrl: postgres.url, clickhouseUrl: clickhouse.url };
    try {
      await restore(inBase("moved"), backup(), own);
      const moved = { installation: installationAt(inBase("moved"), own), folder: inBase("backup-of-moved"), progress };
      const again = await createBackup(moved);
      const rowsOf = ({ postgres: { tables } }: Manifest) => tables.map(({ table, rows }) => [table, rows]);
      expect(rowsOf(again)).toEqual(rowsOf(manifest));
      expect(again.wal).toEqual(manifest.wal);
      expect(again.objects).toEqual(manifest.objects);
      expect([again.secret, again.secret_check]).toEqual(["in_environment", manifest.secret_check]);
      expect(readdirSync(moved.folder).sort()).toEqual(["clickhouse", "manifest.json", "objects", "postgres", "wal"]);
      await expect(restore(inBase("without"), moved.folder)).rejects.toThrow(/set SVC_SECRET to the secret of/);
    } finally {
      await Promise.all([postgres.close(), clickhouse.close()]);
    }
  }, 300_000);

  it("is refused where anything is already", async () => {
    await expect(restore(restored(), backup())).rejects.toThrow(/only be restored into an empty installation/);
    await expect(restore(place.dataDir, backup())).rejects.toThrow(/Another svc \(process \d+\) uses/);
    await expect(backUp(backup())).rejects.toThrow(/is not empty/);
    await expect(
      createBackup({ installation: installationAt(inBase("nothing")), folder: inBase("of-nothing"), progress }),
    ).rejects.toThrow(/nothing to back up/);
  });

  describe("that is not what was written", () => {
    it("is refused before anything of the target is touched", async () => {
      const target = inBase("untouched");
      const flipped = changed("flipped", "postgres/ledger.tsv.gz", (bytes) => {
        bytes[20] = (bytes[20] ?? 0) ^ 1;
        return bytes;
      });
      await expect(restore(target, flipped)).rejects.toThrow("The backup is damaged: postgres/ledger.tsv.gz");
      const rotten = changed("rotten", path.relative("/", blobFile("/objects", BLOB)), (bytes) => {
        bytes[300_000] = (bytes[300_000] ?? 0) ^ 1;
        return bytes;
      });
      await expect(restore(target, rotten)).rejects.toThrow(`The backup is damaged: objects/${BLOB} has changed`);
      const cut = changed("cut", "manifest.json", (bytes) => bytes.subarray(0, 500));
      await expect(restore(target, cut)).rejects.toThrow("The backup is damaged: manifest.json");
      const newer = manifestWith("newer", (one) => ({ ...one, format: 2 }));
      await expect(restore(target, newer)).rejects.toThrow(
        /format 2 and this svc reads 1: restore it with a newer svc/,
      );
      const outside = manifestWith("outside", (one) => ({
        ...one,
        wal: [{ file: "wal/../../../x", bytes: 0, sha256: "0".repeat(64) }],
      }));
      await expect(restore(target, outside)).rejects.toThrow("The backup is damaged: manifest.json");
      const migrated = manifestWith("migrated", ({ migrations, ...one }) => ({
        ...one,
        migrations: { ...migrations, postgres: migrations.postgres.slice(1) },
      }));
      await expect(restore(target, migrated)).rejects.toThrow(/other migrations/);
      const other = changed("other-secret", "secret", () => "x".repeat(43));
      await expect(restore(target, other)).rejects.toThrow("The backup is damaged: secret");
      await expect(restore(target, backup(), { secret: "y".repeat(43) })).rejects.toThrow(
        /SVC_SECRET is not the secret of/,
      );
      mkdirSync(inBase("empty"));
      await expect(restore(target, inBase("empty"))).rejects.toThrow(/is not a complete backup/);
      expect(() => statSync(target)).toThrow();
    });
  });
});
