import { Client } from "pg";
import { describe, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import type { TestDatabase } from "../../../test/factories/postgres";
import { newLogin, tenantSqlScene } from "../../../test/factories/tenant-sql";
import { urlOfDatabase } from "./tenant-databases";
import { TenantSql } from "./tenant-sql";

let database: TestDatabase;
let tenants: TenantSql;
const [own, other] = [newLogin(), newLogin()];

const run = async (sql: string, process = tenants) => (await process.run("ten_1", own, [{ sql, params: [] }]))[0]?.rows;

const scene = await openForFile(tenantSqlScene([own, other]));
({ database, tenants } = scene);
await run("CREATE TABLE notes (id int)");
const asSuperuser = async (work: (client: Client) => Promise<unknown>) => {
  const client = new Client({ connectionString: urlOfDatabase(database.sql, own.name) });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
};

it("a tenant's session is that of a role that can do nothing but log in, has no other roles, and keeps its limits", async () => {
  const { rows } = await database.sql.query(
    `SELECT rolsuper OR rolinherit OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls AS can, rolconnlimit,
      (SELECT count(*)::int FROM pg_auth_members m WHERE r.oid IN (m.member, m.roleid)) AS roles
      FROM pg_roles r WHERE rolname = $1`,
    [own.name],
  );
  expect(rows).toEqual([{ can: false, rolconnlimit: 12, roles: 0 }]);
  expect(await run("SELECT session_user = current_user, current_user::text")).toEqual([["t", own.name]]);
  const client = new Client({ connectionString: urlOfDatabase(database.sql, own.name, own) });
  await client.connect();
  for (const sql of ["SET ROLE postgres", "SET SESSION AUTHORIZATION postgres", "SET temp_file_limit = -1"])
    await expect(client.query(sql)).rejects.toThrow(/permission denied/);
  await client.end();
});

describe("a hostile statement gets no right", () => {
  it.each([
    "pg_stat_file('.')",
    "pg_ls_waldir()",
    "pg_read_binary_file('PG_VERSION')",
    "pg_current_logfile()",
    "lo_get(1)",
    "lo_open(1, 1)",
    "loread(0, 1)",
    "lo_export(1, '/tmp/x')",
    "pg_relation_filepath('notes')",
    "pg_promote()",
    "pg_switch_wal()",
    "pg_backup_start('x')",
    "pg_rotate_logfile()",
    "pg_stat_reset()",
    "pg_current_wal_lsn()",
    "pg_create_restore_point('x')",
    "pg_config()",
    "pg_hba_file_rules()",
    "pg_create_physical_replication_slot('a')",
    "pg_create_logical_replication_slot('a', 'pgoutput')",
    "pg_try_advisory_lock(1)",
    "pg_try_advisory_xact_lock(1)",
    "pg_listening_channels()",
    "pg_sleep_for('1s')",
    "pg_prepared_xact()",
    "pg_lock_status()",
    "pg_log_backend_memory_contexts(1)",
    "pg_blocking_pids(1)",
    "pg_import_system_collations('public')",
    "pg_clear_relation_stats('public', 'notes')",
    "pg_get_userbyid(10)",
    "pg_has_role('postgres', 'usage')",
    "pg_tablespace_location(1663)",
    "pg_stat_get_db_numbackends(1)",
    "shobj_description(1, 'pg_database')",
    "pg_tablespace_size('pg_default')",
    "makeaclitem(10, 10, 'SELECT', false)",
    "acldefault('r', 10)",
  ])("SELECT %s", async (call) => {
    await expect(run(`SELECT ${call}`)).rejects.toThrow(/permission denied for function .*\(SQLSTATE 42501\)/);
  });

  it.each([
    "CREATE TABLE spare (id int) TABLESPACE pg_global",
    "CREATE TABLE spare AS SELECT pg_ls_dir('.')",
    "CREATE TABLE pg_temp.spare (id int)",
    "INSERT INTO notes VALUES (1) RETURNING pg_backend_pid()",
    "MERGE INTO notes USING (SELECT pg_backend_pid() AS id) s ON true WHEN NOT MATCHED THEN INSERT VALUES (s.id)",
    "UPDATE pg_settings SET setting = '0' WHERE name = 'statement_timeout'",
    "UPDATE pg_catalog.pg_authid SET rolsuper = true",
    "TRUNCATE pg_authid",
    "DROP TABLE pg_database",
    "ALTER INDEX pg_class_oid_index RENAME TO spare",
    "ALTER TABLE notes OWNER TO postgres",
    "ALTER TABLE notes OWNER TO pg_read_server_files",
    "ALTER TABLE notes SET SCHEMA pg_catalog",
    "ALTER TABLE notes SET TABLESPACE pg_global",
    "SELECT * FROM notes FOR UPDATE",
    "SELECT 1 AS id INTO spare",
  ])("%s", async (sql) => {
    await expect(run(sql)).rejects.toThrow(/\(SQLSTATE (42501|25006)\)/);
  });
});

describe("the names of other tenants' roles", () => {
  const roles = (from: number, to: number) =>
    run(`SELECT n::oid::regrole::text, ARRAY[n::oid::regrole] FROM generate_series(${from}, ${to}) n`);

  it("are not found by their ids", async () => {
    const { rows } = await database.sql.query<{ oid: number }>("SELECT oid FROM pg_roles WHERE rolname = $1", [
      other.name,
    ]);
    const oid = rows[0]?.oid ?? 0;
    expect(await roles(oid, oid)).toEqual([[String(oid), `{${oid}}`]]);
  });

  it("are not found in a database either that an earlier version of svc made", async () => {
    await asSuperuser(async (client) => {
      await client.query("UPDATE pg_type SET typoutput = 'regroleout'::regproc WHERE oid = 'regrole'::regtype");
      await client.query("GRANT EXECUTE ON FUNCTION makeaclitem TO PUBLIC");
      await client.query(`COMMENT ON ROLE ${own.name} IS NULL`);
    });
    const process = new TenantSql(database.sql);
    await expect(run("SELECT makeaclitem(10, 10, 'SELECT', false)", process)).rejects.toThrow(/permission denied/);
    expect(await run("SELECT 10::oid::regrole::text", process)).toEqual([["10"]]);
    process.close();
  });
});
