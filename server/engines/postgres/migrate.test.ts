import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test } from "vitest";
import { emptyDatabase } from "../../../test/factories/postgres";
import { createMigration, deployMigrations, migrationStatus, resolveMigration, verifyMigrations } from "./migrate";

const PROJECT = path.resolve(import.meta.dirname, "../../..");
const SCHEMA = `datasource db {
  provider = "postgresql"
}

model Note {
  id   String @id
  text String

  @@map("notes")
}
`;

let rootDir: string;
let database: Awaited<ReturnType<typeof emptyDatabase>>;
beforeEach(async () => {
  database = await emptyDatabase();
  rootDir = await mkdtemp(path.join(os.tmpdir(), "svc-migrate-"));
  await mkdir(path.join(rootDir, "prisma"));
  await writeFile(path.join(rootDir, "package.json"), "{}");
  await writeFile(path.join(rootDir, "prisma/schema.prisma"), SCHEMA);
  await symlink(path.join(PROJECT, "node_modules"), path.join(rootDir, "node_modules"));
});
afterEach(async () => {
  await database.close();
  await rm(rootDir, { recursive: true });
});

const at = (second: number) => new Date(Date.UTC(2031, 0, 2, 3, 4, second));
const fileOf = (folder: string) => path.join(rootDir, "prisma/migrations", folder, "migration.sql");
const create = async (name: string, second: number): Promise<string> => {
  const folder = await createMigration({ rootDir, name, now: at(second) });
  if (folder === undefined) throw new Error("nothing to migrate");
  return folder;
};
const addModel = (name: string) =>
  appendFile(path.join(rootDir, "prisma/schema.prisma"), `\nmodel ${name} {\n  id String @id\n}\n`);

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test("the project's last migration holds everything that schema.prisma says", async () => {
  expect(await verifyMigrations(PROJECT)).toBeUndefined();
});

test("a migration is applied once, in Prisma's own history, with the checksum of its file", async () => {
  const folder = await create("notes", 5);
  expect(folder).toBe("20310102030405_notes");
  expect(await deployMigrations(database.url, rootDir)).toEqual([folder]);
  expect(await deployMigrations(database.url, rootDir)).toEqual([]);
  const checksum = createHash("sha256")
    .update(await readFile(fileOf(folder)))
    .digest("hex");
  expect(await query("SELECT migration_name, checksum FROM _prisma_migrations")).toEqual([
    { migration_name: folder, checksum },
  ]);
});

test("of three deploys at once one applies and two find nothing to do", async () => {
  const folder = await create("notes", 5);
  const applied = await Promise.all([1, 2, 3].map(() => deployMigrations(database.url, rootDir)));
  expect(applied.flat()).toEqual([folder]);
  expect(await query("SELECT count(*)::int AS n FROM _prisma_migrations")).toEqual([{ n: 1 }]);
});

test("semicolons inside a function body and a string do not split a migration", async () => {
  const folder = await create("notes", 5);
  await appendFile(
    fileOf(folder),
    `CREATE FUNCTION answer() RETURNS text LANGUAGE plpgsql AS $$ BEGIN PERFORM 1; RETURN 'a;b'; END $$;`,
  );
  await deployMigrations(database.url, rootDir);
  expect(await query("SELECT answer()")).toEqual([{ answer: "a;b" }]);
});

test("a failing migration leaves nothing behind, blocks the next deploy, and works once resolved and corrected", async () => {
  const folder = await create("notes", 5);
  const sql = await readFile(fileOf(folder), "utf8");
  await appendFile(fileOf(folder), "SELECT 1 / 0;");
  const sentence = new RegExp(`${folder}.*division by zero.*npm run db -- resolve ${folder}`, "s");
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(sentence);
  expect(await query("SELECT to_regclass('notes') AS notes")).toEqual([{ notes: null }]);

  await writeFile(fileOf(folder), sql);
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(new RegExp(`${folder}.*blocks`, "s"));
  expect((await migrationStatus(database.url, rootDir)).failedMigrationNames).toEqual([folder]);

  await resolveMigration(database.url, rootDir, folder);
  expect(await deployMigrations(database.url, rootDir)).toEqual([folder]);
});

test("verify shows the SQL that a changed schema still needs, and create writes it", async () => {
  await create("notes", 5);
  expect(await verifyMigrations(rootDir)).toBeUndefined();
  await addModel("Extra");
  expect(await verifyMigrations(rootDir)).toContain('CREATE TABLE "Extra"');
  const folder = await create("extra", 6);
  expect(await readFile(fileOf(folder), "utf8")).toContain('CREATE TABLE "Extra"');
  expect(await createMigration({ rootDir, name: "again", now: at(7) })).toBeUndefined();
  expect(await deployMigrations(database.url, rootDir)).toEqual(["20310102030405_notes", folder]);
});

test("an edited migration shows in the status", async () => {
  const folder = await create("notes", 5);
  await deployMigrations(database.url, rootDir);
  await appendFile(fileOf(folder), "-- afterthought");
  expect((await migrationStatus(database.url, rootDir)).editedMigrationNames).toEqual([folder]);
});

test("a name that would leave the folder is refused", async () => {
  await expect(createMigration({ rootDir, name: "../notes", now: at(5) })).rejects.toThrow(/lower case letters/);
});

test("a database with somebody else's tables is left alone", async () => {
  await create("notes", 5);
  await query("CREATE TABLE theirs (id int)");
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(/not svc's: set DATABASE_URL/);
});

test("a database that is away is one readable error", async () => {
  await create("notes", 5);
  await expect(deployMigrations("postgresql://postgres@127.0.0.1:1/none", rootDir)).rejects.toThrow(/ECONNREFUSED/);
});
