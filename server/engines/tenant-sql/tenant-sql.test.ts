import { Client, Pool } from "pg";
import { describe, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import type { TestDatabase } from "../../../test/factories/postgres";
import { newLogin, tenantSqlScene } from "../../../test/factories/tenant-sql";
import { requireFitServer } from "./server-fitness";
import { urlOfDatabase } from "./tenant-databases";
import { TenantSql } from "./tenant-sql";

let database: TestDatabase;
let tenants: TenantSql;
const [own, other] = [newLogin(), newLogin()];

const run = async (sql: string, params: (string | null)[] = [], login = own) => {
  const [result] = await tenants.run("ten_1", login, [{ sql, params }]);
  return result;
};

const scene = await openForFile(tenantSqlScene([own, other]));
({ database, tenants } = scene);
await run("CREATE TABLE notes (id serial PRIMARY KEY, text text NOT NULL, at timestamptz DEFAULT now())");
const rowsOf = async (sql: string, params: (string | null)[] = []) => (await run(sql, params))?.rows;

describe("an SQL database", () => {
  it("stores, changes and returns rows, with parameters of the type that is needed", async () => {
    const made = await run("INSERT INTO notes (text) VALUES ($1), ($2) RETURNING id", ["one", "two"]);
    expect(made).toMatchObject({ columns: [{ name: "id", type: 23 }], rows: [["1"], ["2"]], changes: 2 });
    expect((await run("UPDATE notes SET text = $1 WHERE id = $2", ["uno", "1"]))?.changes).toBe(1);
    expect(await rowsOf("SELECT text, at > '2026-01-01', to_jsonb(id), NULL FROM notes ORDER BY id")).toEqual([
      ["uno", "t", "1", null],
      ["two", "t", "2", null],
    ]);
    expect(await rowsOf("SELECT count(*), string_agg(upper(text), ',' ORDER BY id) FROM notes")).toEqual([
      ["2", "UNO,TWO"],
    ]);
    expect(await rowsOf("SELECT relname FROM pg_catalog.pg_class WHERE relname LIKE 'notes%' ORDER BY 1")).toHaveLength(
      3,
    );
  });

  it("runs a batch as a whole or not at all", async () => {
    const add = { sql: "INSERT INTO notes (text) VALUES ($1)", params: ["three"] };
    const failing = tenants.run("ten_1", own, [add, { sql: "INSERT INTO notes (text) VALUES (NULL)", params: [] }]);
    await expect(failing).rejects.toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(/null value in column "text" .*\(SQLSTATE 23502\)/),
    });
    expect(await rowsOf("SELECT 1 FROM notes WHERE text = 'three'")).toEqual([]);
    await tenants.run("ten_1", own, [add, { sql: "CREATE UNIQUE INDEX by_text ON notes (text)", params: [] }]);
    await expect(run(add.sql, add.params)).rejects.toThrow(/duplicate key/);
  });

  it("has foreign keys, checks, views and the functions that compute", async () => {
    await run("CREATE TABLE lines (note int REFERENCES notes ON DELETE CASCADE, n numeric CHECK (n > 0), tags text[])");
    await run("INSERT INTO lines SELECT id, 1.50, '{a,b}' FROM notes");
    await run("CREATE VIEW sums AS SELECT note, sum(n) AS total FROM lines GROUP BY note");
    expect(await rowsOf("SELECT total FROM sums LIMIT 1")).toEqual([["1.50"]]);
    await expect(run("INSERT INTO lines VALUES (-1, 1)")).rejects.toThrow(/foreign key/);
    await run("DELETE FROM notes WHERE id = 1");
    const sql = `SELECT age(timestamptz '2026-01-02', timestamptz '2026-01-01'), date_trunc('day', now()) <= now(),
      to_char(timestamptz '2026-01-02', 'YYYY'), extract(year FROM date '2026-01-01'), gen_random_uuid() IS NOT NULL,
      random() < 1, jsonb_build_object('a', 1) ->> 'a', format('%s', 1), concat('a', 1), md5('x'), regexp_replace('ab', 'a', 'c'),
      to_tsvector('english', 'cats') @@ to_tsquery('english', 'cat'), coalesce(lpad('1', 3, '0'), ''), array_to_string(ARRAY[1,2], ','),
      (SELECT json_agg(x) FROM generate_series(1, 2) x), '2026-01-01'::date + interval '1 day', 'x' || 1, now() - interval '1 day' < now()`;
    expect((await rowsOf(sql))?.[0]).toHaveLength(18);
  });
});

describe("a hostile statement", () => {
  it("does not run with so many definitions that A would hold the locks of B and svc", async () => {
    const tables = Array.from({ length: 21 }, (_, i) => ({ sql: `CREATE TABLE many_${i} (id int)`, params: [] }));
    await expect(tenants.run("ten_1", own, tables)).rejects.toMatchObject({
      code: "unprocessable",
      details: { reason: "too_many_definitions" },
    });
    expect(await rowsOf("SELECT 1 FROM pg_catalog.pg_class WHERE relname = 'many_0'")).toEqual([]);
  });

  it.each([
    "SELECT 1; DROP TABLE notes",
    "SELECT 1; RESET ROLE; SELECT 2",
    "DELETE FROM notes; COMMIT; SELECT pg_sleep(1)",
  ])("is one statement: %s", async (sql) => {
    await expect(run(sql)).rejects.toThrow(/cannot insert multiple commands/);
  });

  it.each([
    "SELECT * FROM pg_authid",
    "TABLE pg_catalog.pg_shadow",
    "SELECT * FROM pg_roles",
    "SELECT * FROM pg_database",
    "SELECT * FROM pg_stat_activity",
    "SELECT query FROM pg_stat_get_activity(NULL)",
    "SELECT * FROM pg_settings",
    "SELECT * FROM pg_proc",
    "SELECT * FROM pg_largeobject",
    "SELECT * FROM information_schema.tables",
    "SELECT * FROM pg_stats",
    "SELECT * FROM pg_hba_file_rules",
    "SELECT * FROM pg_file_settings",
    "WITH x AS (SELECT * FROM pg_authid) SELECT 1 FROM x",
    "CREATE TABLE copy (LIKE pg_catalog.pg_authid)",
    "CREATE TABLE copy AS SELECT * FROM pg_authid",
    "INSERT INTO notes (text) SELECT rolpassword FROM pg_authid",
    "UPDATE pg_catalog.pg_class SET relname = 'x'",
    "DELETE FROM pg_catalog.pg_class",
    "TRUNCATE pg_catalog.pg_class",
    "ALTER TABLE pg_catalog.pg_class ADD x int",
    "DROP TABLE pg_catalog.pg_class",
    "SELECT set_config('role', 'postgres', false)",
    "SELECT set_config('work_mem', '1TB', false)",
    "SELECT current_setting('data_directory')",
    "SELECT pg_read_file('/etc/passwd')",
    "SELECT pg_ls_dir('.')",
    "SELECT lo_import('/etc/passwd')",
    "SELECT lo_create(1)",
    "WITH x AS (SELECT lo_from_bytea(0, 'x')) TABLE x",
    "SELECT pg_sleep(1)",
    "SELECT pg_advisory_lock(1)",
    "SELECT pg_advisory_xact_lock(x) FROM generate_series(1, 9) x",
    "SELECT pg_notify('a', 'b')",
    "SELECT pg_terminate_backend(1)",
    "SELECT pg_cancel_backend(1)",
    "SELECT pg_reload_conf()",
    "SELECT query_to_xml('SELECT 1', true, true, '')",
    "SELECT database_to_xml(true, true, '')",
    "SELECT * FROM ts_stat('SELECT to_tsvector(''a'')')",
    "SELECT ts_rewrite('a'::tsquery, 'SELECT ''a''::tsquery, ''b''::tsquery')",
    "SELECT pg_database_size('postgres')",
    "SELECT pg_backend_pid()",
    "SELECT inet_server_addr()",
    "SELECT txid_current()",
    "SELECT has_table_privilege('pg_authid', 'SELECT')",
    "SELECT pg_export_snapshot()",
    "SELECT pg_logical_emit_message(false, 'a', 'b')",
    "CREATE TABLE pg_catalog.x (a int)",
    "CREATE TABLE information_schema.x (a int)",
  ])("gets no right: %s", async (sql) => {
    await expect(run(sql)).rejects.toMatchObject({
      code: "unprocessable",
      message: expect.stringMatching(/permission denied|must be owner|\(SQLSTATE (42501|0A000|42809|25006)\)/),
    });
  });

  it("in a view gets no more rights than its owner", async () => {
    await run("CREATE VIEW spy AS SELECT * FROM pg_stat_activity");
    await expect(run("SELECT * FROM spy")).rejects.toThrow(/permission denied/);
    await run("DROP VIEW spy");
  });

  it("of a database without extensions reaches no other database and no other role", async () => {
    await expect(run(`SELECT * FROM ${other.name}.public.notes`)).rejects.toThrow(/cross-database references/);
    await expect(run("SELECT dblink('dbname=postgres', 'SELECT 1')")).rejects.toThrow(/does not exist/);
    await expect(run(`ALTER TABLE notes OWNER TO ${other.name}`)).rejects.toThrow(/must be able to SET ROLE/);
    const client = new Client({ connectionString: urlOfDatabase(database.sql, other.name, own) });
    await expect(client.connect()).rejects.toThrow(/permission denied for database/);
  });

  it("that does not end is cancelled, and leaves its connection usable", async () => {
    const endless = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n FROM r) SELECT count(*) FROM r";
    await expect(run(endless)).rejects.toThrow(/statement timeout|temporary file size/);
    expect(await rowsOf("SELECT 1")).toEqual([["1"]]);
  });

  it.each([
    ["one huge value", "SELECT length(repeat('x', 1000000000))"],
    ["an array that grows", "SELECT array_length(array_agg(repeat('x', 1000000)), 1) FROM generate_series(1, 100000)"],
    ["many values", `SELECT ${Array.from({ length: 10 }, () => "repeat('x', 200000000)").join(", ")}`],
  ])(
    "cannot use up memory: %s",
    async (_, sql) => {
      await expect(run(sql)).rejects.toMatchObject({
        message: expect.stringMatching(/out of memory|statement timeout|at most 4 MiB/),
      });
      expect(await rowsOf("SELECT 1")).toEqual([["1"]]);
    },
    20_000,
  );

  it("gets no reply of more than 4 MiB", async () => {
    await expect(run("SELECT repeat('x', 1000) FROM generate_series(1, 1000000)")).rejects.toMatchObject({
      code: "payload_too_large",
    });
    await expect(run("SELECT FROM generate_series(1, 60000)")).rejects.toMatchObject({ code: "payload_too_large" });
    expect(await rowsOf("SELECT 1")).toEqual([["1"]]);
  });

  it("cannot store more than 64 MiB, and can make room again", async () => {
    await run("CREATE TABLE filling (text text)");
    const fill = (mib: number) =>
      run(`INSERT INTO filling SELECT repeat(md5(random()::text), 60) FROM generate_series(1, ${mib * 500})`);
    await expect(fill(80)).rejects.toMatchObject({ code: "quota_exceeded" });
    expect(await rowsOf("SELECT count(*) FROM filling")).toEqual([["0"]]);
    await run("TRUNCATE filling");
    await fill(1);
    expect(await rowsOf("SELECT count(*) > 0 FROM filling")).toEqual([["t"]]);
    await run("DROP TABLE filling");
    const define = (from: number) => {
      const sqlOf = (i: number) => `CREATE TABLE many_${from + i} (a int PRIMARY KEY)`;
      return tenants.run(
        "ten_1",
        own,
        Array.from({ length: 20 }, (_, i) => ({ sql: sqlOf(i), params: [] })),
      );
    };
    for (let from = 0; from < 80; from += 20) await define(from);
    await expect(define(80)).rejects.toThrow(/at most 200 tables/);
  });
});

describe("a server that cannot keep tenants apart", () => {
  const refused = { code: "unavailable", details: { reason: "no_sql_databases" } };

  it("is refused if svc is no superuser there", async () => {
    const name = new URL(database.url).pathname.slice(1);
    const server = new Pool({ connectionString: urlOfDatabase(database.sql, name, own), max: 1 });
    await expect(new TenantSql(server).requireFit()).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("no superuser"),
    });
    await server.end();
  });

  it.each(["unlimited", "8589934592"])("is refused if its processes may use as much memory: %s", async (bytes) => {
    const limits = `Max data size             ${bytes}            unlimited            bytes\n`;
    const server = { query: async () => ({ rows: [{ isSuperuser: true, limits }] }) } as unknown as Pool;
    await expect(requireFitServer(server)).rejects.toMatchObject({
      ...refused,
      message: expect.stringContaining("ulimit -d"),
    });
  });
});

it("runs many calls of a tenant on two connections", async () => {
  const calls = Array.from({ length: 30 }, (_, i) => rowsOf("SELECT $1::int", [String(i)]));
  expect((await Promise.all(calls)).flat(2)).toEqual(Array.from({ length: 30 }, (_, i) => String(i)));
  const open = "SELECT count(*)::int AS connections FROM pg_stat_activity WHERE usename = $1";
  expect((await database.sql.query(open, [own.name])).rows).toEqual([{ connections: 2 }]);
});

it("creates a database again that was half made, under another password", async () => {
  const login = newLogin();
  await tenants.create(login);
  const again = { ...login, password: "another_password" };
  await Promise.all([tenants, new TenantSql(database.sql)].map((process) => process.create(again)));
  expect(await tenants.run("ten_1", again, [{ sql: "SELECT 1", params: [] }])).toHaveLength(1);
  expect(await tenants.drop(login.name, async () => false)).toBe(false);
  expect(await tenants.drop(login.name, async () => true)).toBe(true);
  const left = await database.sql.query("SELECT 1 FROM pg_roles WHERE rolname = $1", [login.name]);
  expect(left.rows).toEqual([]);
});
