import { expect, it } from "vitest";
import { kindOf } from "./statement";

it.each([
  ["read", "SELECT 1"],
  ["read", "\n  values (1)"],
  ["grow", "WITH a AS (SELECT 1) SELECT * FROM a"],
  ["grow", "insert into t values ($1)"],
  ["grow", "CREATE  UNIQUE\nINDEX i ON t (a)"],
  ["grow", "create or replace view v as select 1"],
  ["grow", "ALTER TABLE t ADD b int"],
  ["shrink", "DELETE FROM t"],
  ["shrink", "drop table t"],
])("takes as %s: %s", (kind, sql) => {
  expect(kindOf(sql)).toBe(kind);
});

it.each([
  "SET ROLE postgres",
  "RESET ROLE",
  "RESET ALL",
  "DO $$ BEGIN END $$",
  "COPY t TO PROGRAM 'id'",
  "COPY t FROM STDIN",
  "CREATE FUNCTION f() RETURNS int LANGUAGE sql AS 'SELECT 1'",
  "CREATE EXTENSION dblink",
  "CREATE ROLE r SUPERUSER",
  "CREATE SCHEMA s",
  "CREATE TRIGGER t BEFORE INSERT ON t EXECUTE FUNCTION f()",
  "CREATE TEMP TABLE t (a int)",
  "ALTER ROLE r SET work_mem = '1TB'",
  "ALTER SYSTEM SET work_mem = '1TB'",
  "DROP ROLE r",
  "DROP DATABASE d",
  "GRANT ALL ON t TO public",
  "BEGIN",
  "COMMIT",
  "PREPARE p AS SELECT 1",
  "EXECUTE p",
  "EXPLAIN SELECT 1",
  "LISTEN c",
  "NOTIFY c",
  "LOCK TABLE t",
  "VACUUM",
  "CALL p()",
  "/* a comment */ SET ROLE postgres",
  "selection",
  "",
])("refuses %s", (sql) => {
  expect(() => kindOf(sql)).toThrow(/must begin with SELECT/);
});
