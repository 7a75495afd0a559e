import { cp, mkdir, mkdtemp, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { emptyDatabase } from "../../../test/factories/postgres";
import { connectPostgres, type PostgresConnection } from "../../engines/postgres/connect-postgres";
import { deployMigrations } from "../../engines/postgres/deploy-migrations";
import { findAccount, findCandidates } from "./find-account";

const PROJECT = path.resolve(import.meta.dirname, "../../..");
const BEFORE = [
  "20261120233608_foundations",
  "20261121050003_conversions",
  "20261121060000_cap_events",
  "20261121070000_ledger",
  "20261121121012_platform",
];
const ACCESS = "20261122090000_access";

let database: Awaited<ReturnType<typeof emptyDatabase>>;
let postgres: PostgresConnection;
let rootDir: string;

/** A database from before verified addresses, with an account of each kind, that is then migrated. */
beforeAll(async () => {
  database = await emptyDatabase();
  rootDir = await mkdtemp(path.join(os.tmpdir(), "svc-access-"));
  const migrations = path.join(rootDir, "prisma/migrations");
  await mkdir(migrations, { recursive: true });
  await symlink(path.join(PROJECT, "node_modules"), path.join(rootDir, "node_modules"));
  await cp(path.join(PROJECT, "prisma/schema"), path.join(rootDir, "prisma/schema"), { recursive: true });
  const bring = (name: string) =>
    cp(path.join(PROJECT, "prisma/migrations", name), path.join(migrations, name), { recursive: true });
  for (const name of [...BEFORE, "migration_lock.toml"]) await bring(name);
  await deployMigrations(database.url, rootDir);
  postgres = connectPostgres(database.url, { poolMax: 2 });
  await insertUser("usr_verified", "verified@example.com", "now()");
  await insertUser("usr_unverified", "unverified@example.com", "NULL");
  await postgres.sql.query(
    `INSERT INTO emails (id, "to", subject, text, created_at) VALUES ('eml_1', 'a@example.com', 's', 't', now())`,
  );
  await bring(ACCESS);
  expect(await deployMigrations(database.url, rootDir)).toEqual([ACCESS]);
});
afterAll(async () => {
  await postgres?.close();
  await database?.close();
  await rm(rootDir, { recursive: true, force: true });
});

const insertUser = (id: string, email: string, verifiedAt: "now()" | "NULL") =>
  postgres.sql.query(
    `INSERT INTO users (id, email, password_hash, email_verified_at, created_at)
     VALUES ($1, $2, 'hash', ${verifiedAt}, now())`,
    [id, email],
  );

it("keeps every existing account, verified or not, where login and reset find it", async () => {
  for (const [id, email] of [
    ["usr_verified", "verified@example.com"],
    ["usr_unverified", "unverified@example.com"],
  ] as const) {
    expect((await findAccount(postgres.db, email))?.id).toBe(id);
    expect((await findCandidates(postgres.db, { email, knownIds: [] })).map((user) => user.id)).toEqual([id]);
  }
});

it("shows existing emails in no outbox", async () => {
  expect(await postgres.db.email.findMany({ select: { id: true, tenantId: true } })).toEqual([
    { id: "eml_1", tenantId: null },
  ]);
});

it("allows any number of unverified accounts of an address, and one verified one", async () => {
  await insertUser("usr_second", "verified@example.com", "NULL");
  await insertUser("usr_third", "verified@example.com", "NULL");
  await expect(insertUser("usr_fourth", "verified@example.com", "now()")).rejects.toThrow(/users_verified_email_key/);
  const verifying = postgres.sql.query("UPDATE users SET email_verified_at = now() WHERE id = 'usr_second'");
  await expect(verifying).rejects.toThrow(/users_verified_email_key/);
});
