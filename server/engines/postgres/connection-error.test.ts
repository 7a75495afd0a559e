import { expect, test } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { unavailableOnConnectionError } from "./connection-error";

const database = await openForFile(testDatabase());

/** From now on every insert of a tenant fails with this code, immediately or at commit. */
async function failWith(code: string, when: "at once" | "at commit"): Promise<void> {
  await database.sql.query(`DROP TRIGGER IF EXISTS failing ON tenants`);
  await database.sql.query(
    `CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE 'of this test' USING ERRCODE = '${code}'; END $$`,
  );
  const [kind, moment] = when === "at once" ? ["", "BEFORE INSERT"] : ["CONSTRAINT", "AFTER INSERT"];
  const deferred = when === "at once" ? "" : "DEFERRABLE INITIALLY DEFERRED";
  await database.sql.query(
    `CREATE ${kind} TRIGGER failing ${moment} ON tenants ${deferred} FOR EACH ROW EXECUTE FUNCTION fail()`,
  );
}

const data = { id: "tnt_1", name: "One", createdAt: new Date() };
const INSERT = "INSERT INTO tenants (id, name, created_at) VALUES ('tnt_1', 'One', now())";
const ways: [string, () => Promise<unknown>][] = [
  ["a pg query", () => database.sql.query(INSERT)],
  ["a Prisma create", () => database.db.tenant.create({ data })],
  ["raw SQL of Prisma", () => database.db.$executeRawUnsafe(INSERT)],
  ["a Prisma transaction", () => database.db.$transaction((tx) => tx.tenant.create({ data }))],
];
const classify = async (write: () => Promise<unknown>): Promise<unknown> =>
  unavailableOnConnectionError(await write().catch((failure: unknown) => failure));

test.each([
  ["53100", "disk_full"],
  ["53200", "database_away"],
  ["57P01", "database_away"],
  ["58030", "database_away"],
  ["25006", "database_away"],
])("SQLSTATE %s is unavailable (%s), however the statement was sent", async (code, reason) => {
  for (const when of ["at once", "at commit"] as const) {
    await failWith(code, when);
    for (const [name, write] of ways) {
      expect(await classify(write), `${name}, ${when}`).toMatchObject({ code: "unavailable", details: { reason } });
    }
  }
});

test("any other Postgres error stays unchanged", async () => {
  await failWith("23514", "at once");
  for (const [name, write] of ways) expect(await classify(write), name).not.toHaveProperty("retryAfterSeconds");
});

test.each(["ENOSPC", "EDQUOT"])("a file of svc itself that fails with %s is a full disk", (code) => {
  const failure = new Error("wrapped", { cause: Object.assign(new Error(code), { code }) });
  expect(unavailableOnConnectionError(failure)).toMatchObject({
    code: "unavailable",
    details: { reason: "disk_full" },
  });
});
