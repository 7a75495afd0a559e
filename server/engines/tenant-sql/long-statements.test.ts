import os from "node:os";
import { expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import type { TestDatabase } from "../../../test/factories/postgres";
import { newLogin, tenantSqlScene } from "../../../test/factories/tenant-sql";
import type { DatabaseLogin } from "./tenant-databases";
import type { TenantSql } from "./tenant-sql";

/** PostgreSQL compares 80,000 letters at each of 120,000 places, for some seconds, and cannot be interrupted. */
const UNINTERRUPTIBLE = "SELECT position('b' || repeat('a', 80000) IN repeat('a', 200000))";

let database: TestDatabase;
let tenants: TenantSql;
const warnings: object[] = [];
const [ofA, ofB] = [newLogin(), newLogin()];
const log = { warn: (about: object) => void warnings.push(about) };
const scene = await openForFile(tenantSqlScene([ofA, ofB], { callMsMax: 500, log, stuckMs: 1000 }));
({ database, tenants } = scene);

const run = (tenantId: string, login: DatabaseLogin, sql: string) =>
  tenants.run(tenantId, login, [{ sql, params: [] }]);
const sessionsOfA = async () => {
  const sql = "SELECT pid FROM pg_stat_activity WHERE usename = $1 AND query LIKE '%position%'";
  return (await database.sql.query<{ pid: number }>(sql, [ofA.name])).rows.map(({ pid }) => pid);
};

it("statements of A that PostgreSQL cannot cancel keep A's places until they have ended, and B's run", async () => {
  const late = [1, 2].map(() => run("ten_a", ofA, UNINTERRUPTIBLE));
  const failures = await Promise.all(late.map((one) => one.catch(({ message }) => message)));
  expect(failures).toEqual([1, 2].map(() => expect.stringMatching(/took more than/)));
  const next = run("ten_a", ofA, "SELECT 1").then(sessionsOfA);
  next.catch(() => undefined);
  const running = await sessionsOfA();
  expect(running).toHaveLength(2);
  for (let i = 0; i < 20; i++) await run("ten_b", ofB, "SELECT 1");
  await expect.poll(() => running.map(priorityOf), { timeout: 60_000 }).toEqual([19, 19]);
  const warned = running.map((process) => ({ alarm: "tenant_statement", role: ofA.name, process }));
  await expect.poll(() => warnings, { timeout: 60_000 }).toHaveLength(2);
  expect(warnings).toEqual(expect.arrayContaining(warned));
  // It ran when a place was free, or was refused because none was for 5 s.
  const left = await next.catch(({ code }) => code);
  if (left !== "rate_limited") expect(left.length).toBeLessThan(2);
  await expect.poll(sessionsOfA, { timeout: 60_000 }).toEqual([]);
  await expect.poll(() => run("ten_a", ofA, "SELECT 1").catch(() => []), { timeout: 60_000 }).toHaveLength(1);
}, 120_000);

/** 19 is the lowest one; a process that has ended had it, if it had it in time. */
function priorityOf(pid: number): number {
  try {
    return os.getPriority(pid);
  } catch {
    return 19;
  }
}
