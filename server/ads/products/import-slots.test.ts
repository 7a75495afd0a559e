import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { refusal } from "../../../test/factories/ads";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { connectPostgres } from "../../engines/postgres/connect-postgres";
import { ImportSlots } from "./import-slots";

const LIMITS = { importsPerTenantMax: 2, importsPerProcessMax: 3 };

/** The slots of two processes, on separate connections. */
let one: ImportSlots;
let other: ImportSlots;
let closeOther: () => Promise<void>;
const database = await openForFile(testDatabase());
beforeEach(() => {
  one = new ImportSlots(database.sql, LIMITS);
  const connection = connectPostgres(database.url, { poolMax: 2 });
  other = new ImportSlots(connection.sql, LIMITS);
  closeOther = connection.close;
});
afterEach(() => closeOther());

const locks = async () => {
  const held = "SELECT count(*)::int AS held FROM pg_locks l JOIN pg_database d ON d.oid = l.database";
  const { rows } = await database.sql.query(`${held} WHERE locktype = 'advisory' AND datname = current_database()`);
  return rows[0].held;
};
const of = (tenantId: string, campaignId: string) => ({ tenantId, campaignId });

describe("a campaign", () => {
  it("has one import at a time across processes", async () => {
    const slot = await one.take(of("a", "1"));
    for (const slots of [one, other]) {
      expect(await refusal(slots.take(of("a", "1")))).toMatchObject({
        code: "conflict",
        details: { reason: "import_running" },
      });
    }
    expect(slot.signal.aborted).toBe(false);
    await slot.release();
    await (await other.take(of("a", "1"))).release();
    expect(await locks()).toBe(0);
  });

  it("gives its slot to one of many concurrent requests", async () => {
    const attempts = [one, other, one, other].map((slots) => slots.take(of("a", "1")).catch(() => undefined));
    const slots = (await Promise.all(attempts)).filter((slot) => slot !== undefined);
    expect(slots).toHaveLength(1);
    await slots[0]?.release();
    expect(await locks()).toBe(0);
  });
});

describe("too many imports at once", () => {
  it("of a tenant are rejected in every process, but not for another tenant", async () => {
    const slots = [await one.take(of("a", "1")), await other.take(of("a", "2"))];
    for (const process of [one, other]) {
      expect(await refusal(process.take(of("a", "3")))).toMatchObject({
        code: "rate_limited",
        retryAfterSeconds: expect.any(Number),
        details: { reason: "too_many_imports" },
      });
    }
    slots.push(await one.take(of("b", "4")));
    await slots.shift()?.release();
    slots.push(await other.take(of("a", "3")));
    for (const slot of slots) await slot.release();
    expect(await locks()).toBe(0);
  });

  it("of one process are rejected only there", async () => {
    const slots = await Promise.all(["a", "b", "c"].map((tenant) => one.take(of(tenant, tenant))));
    expect(await refusal(one.take(of("d", "d")))).toMatchObject({ code: "rate_limited" });
    slots.push(await other.take(of("d", "d")));
    for (const slot of slots) await slot.release();
  });
});

describe("a process", () => {
  it("that loses its connection stops its imports, and another one may import immediately", async () => {
    const slot = await other.take(of("a", "1"));
    const lost = new Promise((resolve) => slot.signal.addEventListener("abort", resolve, { once: true }));
    const backends = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()";
    await database.sql.query(`${backends} AND pid <> pg_backend_pid()`);
    await lost;
    expect(slot.signal.reason).toMatchObject({ reason: "server_stopping" });
    const next = await one.take(of("a", "1"));
    await slot.release();
    expect(await refusal(other.take(of("a", "1")))).toMatchObject({ code: "conflict" });
    await next.release();
    await (await other.take(of("a", "1"))).release();
  });

  it("that stops aborts its imports and waits for them", async () => {
    const slot = await one.take(of("a", "1"));
    let isReleased = false;
    slot.signal.addEventListener("abort", () => {
      isReleased = true;
      void slot.release();
    });
    await one.stop();
    expect(isReleased).toBe(true);
    expect(await locks()).toBe(0);
    await one.stop();
  });
});
