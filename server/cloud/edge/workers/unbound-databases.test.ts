import { randomBytes } from "node:crypto";
import { expect, it } from "vitest";
import { openForFile } from "../../../../test/factories/open-for-file";
import { testDatabase } from "../../../../test/factories/postgres";
import { EdgeDatabases } from "./edge-databases";

const DAY_MS = 24 * 3_600_000;
const now = new Date("2026-06-30T12:00:00Z");
const database = await openForFile(testDatabase());
const row = { tenantId: "ten_a", projectId: "prj_a", mode: "live" as const, sealedPassword: "", isReady: true };
await database.db.edgeSqlDatabase.createMany({
  data: [9, 8].map((days) => {
    const unboundSince = new Date(now.getTime() - days * DAY_MS);
    return { ...row, id: `esq_${days}`, name: `unbound-${days}`, createdAt: now, unboundSince };
  }),
});

it("A's database that PostgreSQL cannot delete now keeps no other one from being deleted", async () => {
  const databases = new EdgeDatabases({
    db: database.db,
    sql: database.sql,
    clock: { now: () => now },
    encryptionKey: randomBytes(32),
    log: { error: () => undefined, warn: () => undefined },
    storedBytes: { assertRoom: async () => undefined, count: () => undefined, take: async () => undefined },
    tenantSql: {
      requireFit: async () => undefined,
      create: async () => undefined,
      run: async () => [],
      list: async () => [],
      mark: async () => undefined,
      drop: async (name, confirm) => {
        if (name === "svc_esq_9") throw new Error("database is being accessed by other users");
        return confirm();
      },
    },
  });
  await expect(databases.removeUnbound()).rejects.toThrow("is being accessed by other users");
  expect(await database.db.edgeSqlDatabase.findMany({ select: { id: true } })).toEqual([{ id: "esq_9" }]);
});
