import { beforeEach, describe, expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import type { Prisma } from "../../engines/postgres/generated/client";
import { newId } from "../../kernel/ids";
import { type AuditRecord, entryHash } from "./entry-hash";
import { appendAudit, type Change } from "./record-audit";
import { verifyChain } from "./verify-audit";

const AT = new Date("2026-11-20T12:00:00.123Z");
const CHANGE: Change = { action: "channel.created", targets: [{ type: "channel", id: "chn_1", name: "Shop" }] };

let tenantId: string;
const t = await openForFile(testDatabase());
beforeEach(() => {
  tenantId = newId("ten", Date.now());
});

const origin = (tenant = tenantId) =>
  ({
    tenantId: tenant,
    at: AT,
    actor: { type: "user", id: "usr_1" },
    request: { requestId: "req_1", address: "203.0.113.9", userAgent: "Firefox" },
  }) as const;
const append = (change: Change = CHANGE, tenant = tenantId) =>
  t.db.$transaction((tx) => appendAudit(tx, origin(tenant), change));
const appendMany = async (count: number) => {
  for (let i = 1; i <= count; i++) await append({ ...CHANGE, details: { number: i } });
};
const verify = () => verifyChain(t.db, tenantId);
const sequences = async (tenant = tenantId) => {
  const rows = await t.db.auditEntry.findMany({ where: { tenantId: tenant }, orderBy: { sequence: "asc" } });
  return rows.map(({ sequence }) => Number(sequence));
};

/** Runs a statement with the triggers disabled, as the owner of the tables can. */
const tamper = (act: (tx: Prisma.TransactionClient) => Promise<unknown>) =>
  t.db.$transaction(async (tx) => {
    await tx.$executeRaw`ALTER TABLE audit_entries DISABLE TRIGGER USER`;
    await act(tx);
    await tx.$executeRaw`ALTER TABLE audit_entries ENABLE TRIGGER USER`;
  });

describe("the chain", () => {
  it("numbers 200 changes at once 1 to 200, without a gap or a fork", async () => {
    await Promise.all(Array.from({ length: 200 }, () => append()));
    expect(await sequences()).toEqual(Array.from({ length: 200 }, (_, i) => i + 1));
    expect(await verify()).toMatchObject({ valid: true, entries: 200, first_bad_sequence: null });
  });

  it("of one tenant does not wait for another's", async () => {
    const other = newId("ten", Date.now());
    await t.db.$transaction(async (tx) => {
      await appendAudit(tx, origin(), CHANGE);
      await append(CHANGE, other);
      expect(await sequences(other)).toEqual([1]);
    });
    expect(await sequences()).toEqual([1]);
  });

  it("has no entry, and no gap, of a change that was rolled back", async () => {
    await append();
    const failed = t.db.$transaction(async (tx) => {
      await appendAudit(tx, origin(), CHANGE);
      throw new Error("the change failed");
    });
    await expect(failed).rejects.toThrow("the change failed");
    await append();
    expect(await sequences()).toEqual([1, 2]);
    expect((await verify()).valid).toBe(true);
  });

  it("stores any details: text that Postgres cannot store, fractions, no value", async () => {
    const details = { name: "a\0b\ud800c", half: 0.1 + 0.2, large: 1e21, list: [null, { z: 1, a: -0 }], "": "" };
    await append({ ...CHANGE, details });
    await append({ action: "user.signed_in", targets: [] });
    await t.db.$transaction((tx) => appendAudit(tx, { ...origin(), request: undefined }, CHANGE));
    expect(await verify()).toMatchObject({ valid: true, entries: 3 });
  });

  it("is valid while entries are appended", async () => {
    await appendMany(3);
    const verdicts = await Promise.all([appendMany(20), ...Array.from({ length: 5 }, verify)]);
    expect(verdicts.slice(1)).toMatchObject(Array.from({ length: 5 }, () => ({ valid: true })));
  });

  it("is empty and valid for a tenant without changes", async () => {
    expect(await verify()).toEqual({ valid: true, entries: 0, first_bad_sequence: null, head_hash: "" });
  });
});

describe("the table", () => {
  it.each([
    ["an edit", `UPDATE audit_entries SET action = 'x'`],
    ["a removal", `DELETE FROM audit_entries`],
    ["a truncation", `TRUNCATE audit_entries`],
  ])("rejects %s", async (_name, statement) => {
    await append();
    await expect(t.sql.query(statement)).rejects.toThrow("append-only");
    expect(await verify()).toMatchObject({ valid: true, entries: 1 });
  });
});

describe("verification names the first bad entry after", () => {
  const where = (sequence: bigint) => ({ tenantId_sequence: { tenantId, sequence } });
  const at = (tx: Prisma.TransactionClient, sequence: bigint) =>
    tx.auditEntry.findUniqueOrThrow({ where: where(sequence) });
  const move = (tx: Prisma.TransactionClient, from: bigint, to: bigint) =>
    tx.auditEntry.update({ where: where(from), data: { sequence: to } });
  const put = (tx: Prisma.TransactionClient, row: object) =>
    tx.auditEntry.create({ data: row as Prisma.AuditEntryCreateInput });
  /** As an attacker who knows how hashes are computed. */
  const hashed = (row: object) => ({ ...row, hash: entryHash(row as AuditRecord) });

  it.each<[string, number | null, (tx: Prisma.TransactionClient) => Promise<unknown>]>([
    ["nothing", null, async () => undefined],
    ["an edited action", 3, (tx) => tx.auditEntry.update({ where: where(3n), data: { action: "x.y" } })],
    ["edited details", 3, (tx) => tx.auditEntry.update({ where: where(3n), data: { details: { number: 99 } } })],
    ["an edited time", 1, (tx) => tx.auditEntry.update({ where: where(1n), data: { at: new Date(0) } })],
    [
      "an edit with a hash that fits it: the next one no longer follows",
      4,
      async (tx) => {
        const row = hashed({ ...(await at(tx, 3n)), action: "x.y" }) as { hash: string };
        await tx.auditEntry.update({ where: where(3n), data: { action: "x.y", hash: row.hash } });
      },
    ],
    [
      "an edit of the last with a hash that fits it: the head knows better",
      5,
      async (tx) => {
        const row = hashed({ ...(await at(tx, 5n)), action: "x.y" }) as { hash: string };
        await tx.auditEntry.update({ where: where(5n), data: { action: "x.y", hash: row.hash } });
      },
    ],
    ["a removal", 2, (tx) => tx.auditEntry.delete({ where: where(2n) })],
    ["a cut head of the log", 1, (tx) => tx.auditEntry.delete({ where: where(1n) })],
    ["a cut tail", 4, (tx) => tx.auditEntry.deleteMany({ where: { tenantId, sequence: { gte: 4 } } })],
    ["everything gone", 1, (tx) => tx.auditEntry.deleteMany({ where: { tenantId } })],
    ["a lost head row", 1, (tx) => tx.auditHead.delete({ where: { tenantId } })],
    [
      "two that changed places",
      2,
      async (tx) => {
        await move(tx, 2n, 100n);
        await move(tx, 3n, 2n);
        await move(tx, 100n, 3n);
      },
    ],
    [
      "one that was put in between",
      3,
      async (tx) => {
        for (const sequence of [5n, 4n, 3n]) await move(tx, sequence, sequence + 1n);
        await put(tx, hashed({ ...(await at(tx, 2n)), id: "aud_new", sequence: 3n }));
        await tx.auditHead.update({ where: { tenantId }, data: { sequence: 6 } });
      },
    ],
    [
      "one that was put behind the end",
      6,
      async (tx) => {
        const last = await at(tx, 5n);
        await put(tx, hashed({ ...last, id: `${last.id}x`, sequence: 6n, previousHash: last.hash }));
      },
    ],
    [
      "one that was put before the first",
      0,
      async (tx) => {
        const first = await at(tx, 1n);
        await put(tx, hashed({ ...first, id: `${first.id}x`, sequence: 0n, previousHash: "" }));
      },
    ],
  ])("%s", async (_name, bad, act) => {
    await appendMany(5);
    await tamper(act);
    expect(await verify()).toMatchObject({ valid: bad === null, first_bad_sequence: bad });
  });

  it("an invalid entry beyond the first batch", async () => {
    const count = 2100;
    const rows: (AuditRecord & { hash: string })[] = [];
    for (let i = 1; i <= count; i++) {
      const facts = {
        tenantId,
        sequence: BigInt(i),
        id: `aud_${tenantId}${i}`,
        at: AT,
        action: "channel.created",
        actor: { type: "operator" },
        targets: [],
        context: {},
        details: { i },
        previousHash: rows.at(-1)?.hash ?? "",
      };
      rows.push({ ...facts, hash: entryHash(facts) });
    }
    await t.db.auditEntry.createMany({ data: rows as Prisma.AuditEntryCreateManyInput[] });
    const head_hash = rows.at(-1)?.hash ?? "";
    await t.db.auditHead.create({ data: { tenantId, sequence: count, hash: head_hash } });
    expect(await verify()).toEqual({ valid: true, entries: count, first_bad_sequence: null, head_hash });
    await tamper((tx) => tx.auditEntry.update({ where: where(2001n), data: { action: "x.y" } }));
    expect(await verify()).toMatchObject({ valid: false, entries: 2000, first_bad_sequence: 2001 });
  });
});
