import { expect, it } from "vitest";
import { identityTest } from "../../../test/factories/identity";
import { openForFile } from "../../../test/factories/open-for-file";
import { sweepExpired } from "./sweep-expired";

const t = await openForFile(identityTest());

const DAY_MS = 24 * 60 * 60 * 1000;

it("deletes everything that has expired, however much, in statements of at most 1,000 rows", async () => {
  const old = new Date(t.clock.now().getTime() - 8 * DAY_MS);
  const email = { to: "a@example.com", subject: "s", text: "t" };
  await t.db.email.createMany({
    data: Array.from({ length: 2500 }, (_, i) => ({ ...email, id: `eml_old_${i}`, createdAt: old })),
  });
  await t.db.email.create({ data: { ...email, id: "eml_new", createdAt: t.clock.now() } });
  const counts: number[] = [];
  const spied = new Proxy(t.db, {
    get: (db, name) =>
      name === "email"
        ? {
            deleteMany: async (asked: Parameters<typeof t.db.email.deleteMany>[0]) => {
              const deleted = await t.db.email.deleteMany(asked);
              counts.push(deleted.count);
              return deleted;
            },
          }
        : Reflect.get(db, name),
  });
  await sweepExpired({ db: spied, clock: t.clock });
  expect(counts).toEqual([1000, 1000, 500]);
  expect(await t.db.email.findMany({ select: { id: true } })).toEqual([{ id: "eml_new" }]);
});
