import { expect, it } from "vitest";
import { openForFile } from "../../../test/factories/open-for-file";
import { testDatabase } from "../../../test/factories/postgres";
import { findAccount, findCandidates } from "./find-account";

const insertUser = (id: string, email: string, verifiedAt: "now()" | "NULL") =>
  postgres.sql.query(
    `INSERT INTO users (id, email, password_hash, email_verified_at, created_at)
     VALUES ($1, $2, 'hash', ${verifiedAt}, now())`,
    [id, email],
  );

const postgres = await openForFile(testDatabase());
await insertUser("usr_verified", "verified@example.com", "now()");
await insertUser("usr_unverified", "unverified@example.com", "NULL");

it("login and reset find an account, verified or not", async () => {
  for (const [id, email] of [
    ["usr_verified", "verified@example.com"],
    ["usr_unverified", "unverified@example.com"],
  ] as const) {
    expect((await findAccount(postgres.db, email))?.id).toBe(id);
    expect((await findCandidates(postgres.db, { email, knownIds: [] })).map((user) => user.id)).toEqual([id]);
  }
});

it("allows any number of unverified accounts of an address, and one verified one", async () => {
  await insertUser("usr_second", "verified@example.com", "NULL");
  await insertUser("usr_third", "verified@example.com", "NULL");
  await expect(insertUser("usr_fourth", "verified@example.com", "now()")).rejects.toThrow(/users_verified_email_key/);
  const verifying = postgres.sql.query("UPDATE users SET email_verified_at = now() WHERE id = 'usr_second'");
  await expect(verifying).rejects.toThrow(/users_verified_email_key/);
});
