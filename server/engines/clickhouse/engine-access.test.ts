import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { fileFolder } from "../../../test/factories/file-folder";
import { openForFile } from "../../../test/factories/open-for-file";
import { copyClickHouseIn, copyClickHouseOut, freeze, thaw } from "../../operators/backup/clickhouse-tables";
import { landlockVersion } from "./confine.mjs";
import { findClickHouse } from "./find-clickhouse";
import { migrateClickHouse } from "./migrate-clickhouse";
import { startClickHouse } from "./start-clickhouse";

const rootDir = path.resolve(import.meta.dirname, "../../..");
/** The tests read more system tables than svc, in order to list every table engine. */
const GRANTS = ["GRANT SELECT ON system.table_engines"];

const base = fileFolder("clickhouse-access-");
const dir = path.join(base, "data");
/** No test may create or change anything here. */
const outside = path.join(base, "outside");
mkdirSync(outside);
writeFileSync(path.join(outside, "private.txt"), "not-for-the-engine\n");
mkdirSync(path.join(outside, "folder"));
const engine = await openForFile(startClickHouse({ rootDir, dir, grants: GRANTS }));
await migrateClickHouse(engine.client, {
  dir: path.join(rootDir, "clickhouse"),
  retention: { rawDays: 20_000, rollupDays: 20_000 },
});

interface Credentials {
  user?: string;
  password?: string;
  token?: string;
}

const secrets = (): Required<Credentials> => {
  const url = new URL(engine.url);
  const token = url.searchParams.get("http_header_x-svc-token") ?? "";
  return { user: url.username, password: url.password, token };
};

const origin = (): string => `http://${new URL(engine.url).host}`;

function headersOf({ user, password, token }: Credentials): Record<string, string> {
  const authorization = `Basic ${Buffer.from(`${user}:${password ?? ""}`).toString("base64")}`;
  return { ...(token ? { "x-svc-token": token } : {}), ...(user === undefined ? {} : { authorization }) };
}

/** Runs a statement with valid credentials; returns the body of the reply or the engine's error. */
async function run(query: string): Promise<string> {
  const reply = await fetch(origin(), { method: "POST", body: query, headers: headersOf(secrets()) });
  return reply.text();
}

describe("a client without credentials is rejected", () => {
  const QUERY = `/?query=${encodeURIComponent("SELECT 'in'")}`;

  test.each<[string, string, RequestInit]>([
    ["a query", QUERY, {}],
    ["a query from a browser page", QUERY, { headers: { origin: "http://evil.test" } }],
    ["a query in a form post", "/", { method: "POST", body: "SELECT 'in'", headers: { origin: "http://evil.test" } }],
    ["a preflight", "/", { method: "OPTIONS", headers: { origin: "http://evil.test" } }],
    ["/ping", "/ping", {}],
    ["/play", "/play", {}],
    ["/dashboard", "/dashboard", {}],
    ["/metrics", "/metrics", {}],
    ["/replicas_status", "/replicas_status", {}],
    ["/js/", "/js/uplot.js", {}],
    ["the parameters user and password", `${QUERY}&user=default&password=`, {}],
    ["the headers user and key", QUERY, { headers: { "x-clickhouse-user": "default", "x-clickhouse-key": "" } }],
    ["the header of another token", QUERY, { headers: { "x-svc-token": "0".repeat(64) } }],
    ["the header of another challenge", QUERY, { headers: { "x-svc-challenge": "0".repeat(64) } }],
  ])("%s without the token", async (_, at, init) => {
    const reply = await fetch(origin() + at, init);
    expect([reply.status, await reply.text()]).toEqual([
      expect.toBeOneOf([404, 501]),
      expect.not.stringMatching(/^(in|Ok)/),
    ]);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  test.each<[string, (all: Required<Credentials>) => Credentials]>([
    ["no user", ({ token }) => ({ token })],
    ["no password", ({ token, user }) => ({ token, user })],
    ["a wrong password", ({ token, user }) => ({ token, user, password: "wrong" })],
    ["the password of another start", ({ token, user }) => ({ token, user, password: "0".repeat(64) })],
    ["the user default", ({ token }) => ({ token, user: "default" })],
    ["the user default and the right password", ({ token, password }) => ({ token, user: "default", password })],
  ])("the token with %s", async (_, choose) => {
    const reply = await fetch(origin() + QUERY, {
      headers: { ...headersOf(choose(secrets())), origin: "http://x.test" },
    });
    expect([reply.status, await reply.text()]).toEqual([404, expect.stringMatching(/^There is no handle/)]);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  });

  test("the right password without the token", async () => {
    const { user, password } = secrets();
    const reply = await fetch(origin() + QUERY, { headers: headersOf({ user, password }) });
    expect([reply.status, await reply.text()]).toEqual([404, expect.stringMatching(/^There is no handle/)]);
  });
});

/** Error 497 is a missing privilege; 291 and 358 mean that the statement is never allowed. */
const DENIED = /Code: (497|291|358)\./;

describe("the user of svc", () => {
  test("has these privileges and no other", async () => {
    const grants = (await run("SHOW GRANTS")).trim().split("\n").sort();
    expect(grants).toEqual([
      "GRANT SELECT ON system.columns TO svc",
      "GRANT SELECT ON system.parts TO svc",
      "GRANT SELECT ON system.table_engines TO svc",
      "GRANT SELECT ON system.tables TO svc",
      "GRANT SELECT, INSERT, ALTER DELETE, ALTER COLUMN, ALTER INDEX, ALTER PROJECTION, ALTER TTL, ALTER SETTINGS, ALTER VIEW, CREATE TABLE, CREATE VIEW, DROP TABLE, DROP VIEW, TRUNCATE ON default.* TO svc",
      "GRANT TABLE ENGINE ON AggregatingMergeTree TO svc",
      "GRANT TABLE ENGINE ON MergeTree TO svc",
      "GRANT TABLE ENGINE ON ReplacingMergeTree TO svc",
    ]);
  });

  test.each([
    "SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM `/etc/passwd`",
    "SELECT * FROM default.`/etc/passwd`",
    "DESCRIBE TABLE file('/etc/passwd', 'LineAsString')",
    "EXPLAIN SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "SELECT * FROM filesystem('/etc')",
    "INSERT INTO FUNCTION file('OUTSIDE/written', 'LineAsString', 'a String') VALUES ('x')",
    "CREATE TABLE t AS file('/etc/passwd', 'LineAsString')",
    "CREATE TABLE t ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "CREATE VIEW v AS SELECT * FROM file('/etc/passwd', 'LineAsString')",
    "CREATE MATERIALIZED VIEW v ENGINE = MergeTree ORDER BY tuple() AS SELECT * FROM url('http://127.0.0.1:1/', 'TSV', 'a String')",
    "SELECT * FROM url('http://127.0.0.1:1/', 'LineAsString', 'a String')",
    "INSERT INTO FUNCTION url('http://127.0.0.1:1/', 'LineAsString', 'a String') VALUES ('x')",
    "SELECT * FROM remote('127.0.0.1:1', system.one)",
    "SELECT * FROM remoteSecure('127.0.0.1:1', system.one)",
    "SELECT * FROM s3('http://127.0.0.1:1/bucket/key.tsv', NOSIGN, 'TSV', 'a String')",
    "INSERT INTO FUNCTION s3('http://127.0.0.1:1/bucket/key.tsv', NOSIGN, 'TSV', 'a String') VALUES ('x')",
    "SELECT * FROM gcs('http://127.0.0.1:1/bucket/key.tsv', NOSIGN, 'TSV', 'a String')",
    "SELECT * FROM hdfs('hdfs://127.0.0.1:1/x', 'TSV', 'a String')",
    "SELECT * FROM mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
    "SELECT * FROM mongodb('127.0.0.1:1', 'a', 'b', 'c', 'd', 'x String')",
    "SELECT * FROM redis('127.0.0.1:1', 'k', 'k String, v String')",
    "SELECT * FROM jdbc('a', 'b', 'c')",
    "SELECT * FROM odbc('DSN=x', 'b', 'c')",
    "SELECT * FROM icebergLocal('/etc')",
    "SELECT * FROM deltaLakeLocal('/etc')",
    "CREATE TABLE t (a String) ENGINE = File(TSV, '/etc/passwd')",
    "CREATE TABLE t (a String) ENGINE = URL('http://127.0.0.1:1/', TSV)",
    "CREATE TEMPORARY TABLE t (a String) ENGINE = File(TSV, '/etc/passwd')",
    "ATTACH TABLE t (a String) ENGINE = File(TSV, '/etc/passwd')",
    "CREATE DICTIONARY d (a UInt64, b String) PRIMARY KEY a SOURCE(FILE(path '/etc/passwd' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
    "CREATE DICTIONARY d (a UInt64, b String) PRIMARY KEY a SOURCE(HTTP(url 'http://127.0.0.1:1/' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
    "CREATE DICTIONARY d (a UInt64, b String) PRIMARY KEY a SOURCE(EXECUTABLE(command 'id' format 'TSV')) LAYOUT(FLAT()) LIFETIME(0)",
    "SELECT 1 INTO OUTFILE 'OUTSIDE/written'",
    "BACKUP TABLE clicks TO File('OUTSIDE/written')",
    "BACKUP TABLE clicks TO Disk('default', 'written')",
    "BACKUP DATABASE default TO S3('http://127.0.0.1:1/bucket', 'a', 'b')",
    "ALTER TABLE clicks FREEZE",
    "ALTER TABLE clicks UPDATE click_id = '' WHERE 1",
    "CREATE FUNCTION f AS (x) -> x",
    "CREATE USER u IDENTIFIED BY 'x'",
    "ALTER USER svc IDENTIFIED BY 'x'",
    "CREATE ROLE r",
    "GRANT SELECT ON system.users TO svc",
    "GRANT ALL ON *.* TO svc",
    "CREATE ROW POLICY p ON clicks USING 1 TO svc",
    "CREATE QUOTA q TO svc",
    "CREATE SETTINGS PROFILE p",
    "CREATE NAMED COLLECTION c AS a = 1",
    "CREATE VIEW v DEFINER = default SQL SECURITY DEFINER AS SELECT 1",
    "CREATE VIEW v SQL SECURITY NONE AS SELECT 1",
    "CREATE DATABASE d",
    "CREATE DATABASE d ENGINE = Filesystem('/etc')",
    "DROP DATABASE default",
    "SYSTEM SHUTDOWN",
    "SYSTEM KILL",
    "SYSTEM START LISTEN TCP",
    "SYSTEM STOP LISTEN HTTP",
    "SYSTEM RELOAD USERS",
    "SYSTEM FLUSH LOGS",
    "SYSTEM STOP MERGES clicks",
    "SYSTEM DROP MARK CACHE",
    "KILL QUERY WHERE 1",
    "SELECT * FROM system.users",
    "SELECT * FROM system.processes",
    "SELECT * FROM system.server_settings",
    "SELECT * FROM system.disks",
    "SELECT * FROM view(SELECT * FROM system.users)",
    "SELECT * FROM loop(system.users)",
    "SELECT * FROM information_schema.tables",
    "SELECT addressToLine(1)",
  ])("may not run %s", async (statement) => {
    expect(await run(statement.replaceAll("OUTSIDE", outside))).toMatch(DENIED);
  });

  test("may create tables only with the engines that the migrations use", async () => {
    const engines = (await run("SELECT name FROM system.table_engines")).trim().split("\n");
    expect(engines).toEqual(expect.arrayContaining(["File", "URL", "S3", "Executable", "Distributed", "MergeTree"]));
    const own = ["MergeTree", "AggregatingMergeTree", "ReplacingMergeTree"];
    // Views have no engine of their own to grant; the tables that they read are checked when they are created.
    for (const name of engines.filter((one) => ![...own, "View", "MaterializedView"].includes(one))) {
      expect([name, await run(`CREATE TABLE t (a UInt8) ENGINE = ${name}`)]).toEqual([
        name,
        expect.stringMatching(DENIED),
      ]);
    }
  });

  test("has what migrations, inserts, reports, backups and restores need", async () => {
    const { client } = engine;
    const click = {
      at: "2026-01-02T03:04:05.678Z",
      click_id: "c",
      tenant_id: "t",
      buyer_tenant_id: "t",
      mode: "live",
      traffic: "",
    };
    await client.insert({ table: "clicks", values: [click], format: "JSONEachRow" });
    await freeze(client);
    const folder = path.join(base, "backup");
    const parts = { folder, progress: () => undefined };
    mkdirSync(path.join(folder, "clickhouse"), { recursive: true });
    const part = await copyClickHouseOut(client, parts);
    await thaw(client);
    for (const { table } of part.tables) await client.command({ query: `TRUNCATE TABLE ${table}` });
    await copyClickHouseIn(client, { part, ...parts });
    expect(await run("SELECT click_id FROM clicks")).toBe("c\n");
    expect(await run("SELECT sum(clicks) FROM report_slots")).toBe("1\n");
  });
});

describe.runIf(landlockVersion())("the kernel confines the engine to its folder", () => {
  test.each([
    "SELECT file('PRIVATE')",
    "SELECT file('../../outside/private.txt')",
    "SELECT file('/proc/self/environ')",
    "SELECT file('/proc/1/cmdline')",
    "INSERT INTO clicks (click_id) FROM INFILE 'PRIVATE' FORMAT LineAsString",
    "ATTACH TABLE stolen FROM 'OUTSIDE/folder' (a String) ENGINE = MergeTree ORDER BY a",
    "CREATE TABLE t (a UInt8) ENGINE = MergeTree ORDER BY a SETTINGS disk = disk(type = local, path = 'OUTSIDE/disk/')",
    "SELECT * FROM sqlite('OUTSIDE/made.sqlite', 't')",
    "SELECT * FROM executable('id', 'TSV', 'a String')",
  ])("against %s", async (statement) => {
    const before = readdirSync(outside, { recursive: true });
    const query = statement.replaceAll("PRIVATE", path.join(outside, "private.txt")).replaceAll("OUTSIDE", outside);
    const reply = await run(query);
    expect(reply).toMatch(/Code: \d+/);
    expect(reply).not.toMatch(/not-for-the-engine|NODE_ENV/);
    expect(readdirSync(outside, { recursive: true })).toEqual(before);
  });
});

describe("the secrets of the engine", () => {
  test("are in no argument, environment or log, and in one file that is removed at stop", async () => {
    const own = path.join(base, "own");
    const other = await startClickHouse({ rootDir, dir: own });
    const [password, token] = [
      new URL(other.url).password,
      new URL(other.url).searchParams.values().next().value ?? "",
    ];
    await fetch(`http://${new URL(other.url).host}/?query=nonsense`, {
      headers: headersOf({ user: "svc", password, token }),
    });
    for (const file of ["cmdline", "environ"]) {
      const text = process.platform === "linux" ? readFileSync(`/proc/${other.pid}/${file}`, "utf8") : "";
      expect([file, text.includes(password), text.includes(token)]).toEqual([file, false, false]);
    }
    const holders = () =>
      readdirSync(own, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => path.join(entry.parentPath, entry.name))
        .filter((file) => [password, token].some((secret) => readFileSync(file).includes(secret)));
    const note = path.join(own, "svc-access.json");
    expect(holders()).toEqual([note]);
    expect([statSync(note).mode & 0o777, statSync(own).mode & 0o777]).toEqual([0o600, 0o700]);
    expect(await findClickHouse(own)).toBe(other.url);
    await other.stop();
    expect([holders(), existsSync(note)]).toEqual([[], false]);
    expect(await findClickHouse(own)).toBeUndefined();
  });

  test("are new at each start", async () => {
    const own = path.join(base, "again");
    const seen = new Set<string>();
    for (let start = 0; start < 2; start++) {
      const again = await startClickHouse({ rootDir, dir: own });
      const url = new URL(again.url);
      seen.add(url.password).add(url.search);
      await again.stop();
    }
    expect(seen.size).toBe(4);
  });

  test("are not sent to another program that uses the recorded or the requested port", async () => {
    const received: IncomingHttpHeaders[] = [];
    const stranger = createServer((request, response) => {
      received.push(request.headers);
      response.end("Ok.\n");
    });
    onTestFinished(() => void stranger.close());
    await new Promise<void>((resolve) => stranger.listen(0, "127.0.0.1", resolve));
    const { port } = stranger.address() as AddressInfo;
    const left = path.join(base, "left");
    mkdirSync(left);
    const note = { port, password: "the-password", token: "the-token", challenge: "c", response: "r" };
    writeFileSync(path.join(left, "svc-access.json"), JSON.stringify(note));
    expect(await findClickHouse(left)).toBeUndefined();
    await expect(startClickHouse({ rootDir, dir: path.join(base, "late"), port })).rejects.toThrow(`Port ${port}`);
    expect(received.length).toBeGreaterThanOrEqual(2);
    for (const headers of received) {
      expect(Object.keys(headers)).not.toEqual(expect.arrayContaining(["authorization"]));
      expect(headers).not.toHaveProperty("x-svc-token");
      expect(JSON.stringify(headers)).not.toMatch(/the-password|the-token/);
    }
  });
});
