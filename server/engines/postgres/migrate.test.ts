import { createHash } from "node:crypto";
import { appendFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { emptyDatabase } from "../../../test/factories/postgres";
import { deployMigrations } from "./deploy-migrations";
import { createMigration, migrationStatus, verifyMigrations } from "./migrate";

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
  await mkdir(path.join(rootDir, "prisma/schema"), { recursive: true });
  await writeFile(path.join(rootDir, "package.json"), "{}");
  await writeFile(path.join(rootDir, "prisma/schema/schema.prisma"), SCHEMA);
  await symlink(path.join(PROJECT, "node_modules"), path.join(rootDir, "node_modules"));
});
afterEach(async () => {
  await database.close();
  await rm(rootDir, { recursive: true });
});

const at = (second: number) => new Date(Date.UTC(2031, 0, 2, 3, 4, second));
const fileOf = (folder: string) => path.join(rootDir, "prisma/migrations", folder, "migration.sql");
const createAt = (name: string, second: number): Promise<string | undefined> =>
  onScratch((scratchUrl) => createMigration({ rootDir, name, now: at(second), scratchUrl }));
const verify = (root = rootDir): Promise<string | undefined> => onScratch((url) => verifyMigrations(root, url));
const create = async (name: string, second: number): Promise<string> => {
  const folder = await createAt(name, second);
  if (folder === undefined) throw new Error("nothing to migrate");
  return folder;
};
const addModel = (name: string) =>
  appendFile(path.join(rootDir, "prisma/schema/schema.prisma"), `\nmodel ${name} {\n  id String @id\n}\n`);

async function onScratch<T>(run: (url: string) => Promise<T>): Promise<T> {
  const scratch = await emptyDatabase();
  return run(scratch.url).finally(scratch.close);
}

async function query(sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(sql)).rows;
  } finally {
    await client.end();
  }
}

test("the project's migrations match prisma/schema", async () => {
  expect(await verify(PROJECT)).toBeUndefined();
});

test("a migration is applied once and recorded in Prisma's table, with the checksum of its file", async () => {
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

test("when three deploys run at once, one applies and two find nothing to do", async () => {
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

test("a failing migration leaves nothing behind, not even a record, and works once it is corrected", async () => {
  const folder = await create("notes", 5);
  const sql = await readFile(fileOf(folder), "utf8");
  await appendFile(fileOf(folder), "SELECT 1 / 0;");
  const sentence = new RegExp(`${folder} failed and was rolled back: division by zero.*npm run db -- deploy`, "s");
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(sentence);
  expect(await query("SELECT to_regclass('notes') AS notes")).toEqual([{ notes: null }]);
  expect(await query("SELECT * FROM _prisma_migrations")).toEqual([]);

  await writeFile(fileOf(folder), sql);
  expect(await deployMigrations(database.url, rootDir)).toEqual([folder]);
});

const NO_TRANSACTION = "-- svc: no transaction\n";
const writeByHand = async (name: string, sql: string): Promise<string> => {
  const folder = `20310102030499_${name}`;
  await mkdir(path.join(rootDir, "prisma/migrations", folder));
  await writeFile(fileOf(folder), sql);
  return folder;
};

test("a migration gives way to a transaction that has one of its tables and waits for another, and is repeated", async () => {
  await create("notes", 5);
  await addModel("Page");
  await create("pages", 6);
  await deployMigrations(database.url, rootDir);
  const both = 'ALTER TABLE "Page" ADD COLUMN title text; ALTER TABLE notes ADD COLUMN title text;';
  const folder = await writeByHand("titles", both);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT FROM notes");
    const deployed = deployMigrations(database.url, rootDir);
    const waits = "SELECT FROM pg_locks WHERE relation = 'notes'::regclass AND NOT granted";
    await vi.waitUntil(async () => (await query(waits)).length > 0, { timeout: 60_000, interval: 10 });
    await client.query('SELECT FROM "Page"');
    await client.query("COMMIT");
    expect(await deployed).toEqual([folder]);
  } finally {
    await client.end();
  }
});

test("a file without a transaction rebuilds an index that an interrupted start left invalid", async () => {
  const first = await create("notes", 5);
  await deployMigrations(database.url, rootDir);
  // A failed build leaves the same as a killed one: an index of that name that is not valid.
  await query("INSERT INTO notes VALUES ('1', 'same'), ('2', 'same')");
  const built = 'CREATE UNIQUE INDEX CONCURRENTLY IF NOT EXISTS "notes_text_idx" ON "notes"("text");';
  const second = await writeByHand("index", `${NO_TRANSACTION}${built}\nDROP INDEX CONCURRENTLY IF EXISTS old_idx;`);
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(/could not create unique index/);
  const valid = "SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('notes_text_idx')";
  expect(await query(valid)).toEqual([{ valid: false }]);
  await query("DELETE FROM notes WHERE id = '2'");
  const applied = await Promise.all([1, 2].map(() => deployMigrations(database.url, rootDir)));
  expect(applied.flat()).toEqual([second]);
  expect(await query(valid)).toEqual([{ valid: true }]);
  expect((await migrationStatus(database.url, rootDir)).failedMigrationNames).toEqual([]);
  expect(first < second).toBe(true);
});

test.each([
  [`${NO_TRANSACTION}CREATE INDEX CONCURRENTLY notes_idx ON notes(text);`, /must not run twice/],
  [`${NO_TRANSACTION}UPDATE notes SET text = ';' || text;`, /must not run twice/],
  [
    "UPDATE notes SET text = 'a;b'; -- done;\nCOMMIT; SELECT 1",
    /contains "COMMIT": a migration runs in one transaction/,
  ],
])("a migration that could not be resumed is rejected by verify and by deploy: %s", async (sql, sentence) => {
  await create("notes", 5);
  await writeByHand("unsafe", sql);
  await expect(verify()).rejects.toThrow(sentence);
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(sentence);
});

test("verify prints the SQL that a changed schema still needs, and create writes it", async () => {
  await create("notes", 5);
  expect(await verify()).toBeUndefined();
  await addModel("Extra");
  expect(await verify()).toContain('CREATE TABLE "Extra"');
  const folder = await create("extra", 6);
  expect(await readFile(fileOf(folder), "utf8")).toContain('CREATE TABLE "Extra"');
  expect(await createAt("again", 7)).toBeUndefined();
  expect(await deployMigrations(database.url, rootDir)).toEqual(["20310102030405_notes", folder]);
});

test("the files of the schema make one schema, and moving a model to another file changes nothing", async () => {
  const other = path.join(rootDir, "prisma/schema/a-tags.prisma");
  const tags = `model Tag {\n  id String @id\n  noteId String\n  note Note @relation(fields: [noteId], references: [id])\n}\n`;
  await writeFile(
    path.join(rootDir, "prisma/schema/schema.prisma"),
    SCHEMA.replace("text String", "text String\n  tags Tag[]"),
  );
  await writeFile(other, tags);
  const folder = await create("notes", 5);
  expect(await readFile(fileOf(folder), "utf8")).toMatch(/CREATE TABLE "Tag"[\s\S]*REFERENCES "notes"/);
  await writeFile(path.join(rootDir, "prisma/schema/z-tags.prisma"), tags);
  await rm(other);
  expect(await verify()).toBeUndefined();
  await rm(path.join(rootDir, "prisma/schema/z-tags.prisma"));
  await writeFile(path.join(rootDir, "prisma/schema/schema.prisma"), SCHEMA);
  expect(await verify()).toContain('DROP TABLE "Tag"');
});

test("tables and indexes that by-hand.json names are in the migrations alone, and others are not", async () => {
  const folder = await create("notes", 5);
  const sql = "CREATE TABLE days (day DATE PRIMARY KEY); CREATE INDEX notes_text_idx ON notes (text text_pattern_ops);";
  await appendFile(fileOf(folder), sql);
  expect(await verify()).toMatch(/DROP INDEX "notes_text_idx";[\s\S]*DROP TABLE "days";/);
  const byHand = (tables: string[], indexes: string[]) =>
    writeFile(path.join(rootDir, "prisma/by-hand.json"), JSON.stringify({ tables, indexes }));
  await byHand(["days"], []);
  expect((await verify())?.trim()).toBe('-- DropIndex\nDROP INDEX "notes_text_idx";');
  await byHand(["days"], ["notes_text_idx"]);
  expect(await verify()).toBeUndefined();
});

test("prisma/by-hand.json names nothing that the migrations do not create", async () => {
  const byHand = JSON.parse(await readFile(path.join(PROJECT, "prisma/by-hand.json"), "utf8")) as Record<
    string,
    string[]
  >;
  const names = Object.values(byHand).flat();
  await deployMigrations(database.url, PROJECT);
  const found = await query(`SELECT relname FROM pg_class WHERE relname IN ('${names.join("', '")}')`);
  expect(found.map(({ relname }) => relname).sort()).toEqual(names.sort());
});

const record = (name: string) =>
  query(`INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
    VALUES (gen_random_uuid()::text, repeat('0', 64), '${name}', now())`);

test("a baseline takes the place of the migrations that it replaces, and later ones follow it", async () => {
  const baseline = await create("notes", 5);
  await addModel("Extra");
  const later = await create("extra", 6);
  await deployMigrations(database.url, rootDir);
  // The same schema, as the migrations before the baseline recorded it.
  await query("DELETE FROM _prisma_migrations; DROP TABLE \"Extra\"; INSERT INTO notes VALUES ('1', 'kept')");
  for (const name of ["20310102030401_first", "20310102030402_second"]) await record(name);
  const sql = await readFile(fileOf(baseline), "utf8");
  await writeFile(fileOf(baseline), `-- svc: replaces 20310102030402_second\n${sql}`);
  expect(await deployMigrations(database.url, rootDir)).toEqual([later]);
  expect(await query("SELECT migration_name AS name FROM _prisma_migrations ORDER BY 1")).toEqual([
    { name: baseline },
    { name: later },
  ]);
  expect(await query("SELECT text FROM notes")).toEqual([{ text: "kept" }]);
  const { history, editedMigrationNames } = await migrationStatus(database.url, rootDir);
  expect([history, editedMigrationNames]).toEqual([null, []]);
});

test("a database with only a part of what a baseline replaces is left as it is, with a sentence that names its last migration", async () => {
  const baseline = await create("notes", 5);
  await deployMigrations(database.url, rootDir);
  await query("DELETE FROM _prisma_migrations");
  await record("20310102030401_first");
  const sql = await readFile(fileOf(baseline), "utf8");
  await writeFile(fileOf(baseline), `-- svc: replaces 20310102030402_second\n${sql}`);
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(
    /last migration is 20310102030401_first, and 20310102030405_notes replaces all up to 20310102030402_second\. Start/,
  );
  expect(await query("SELECT migration_name AS name FROM _prisma_migrations")).toEqual([
    { name: "20310102030401_first" },
  ]);
});

test("an edited migration shows in the status", async () => {
  const folder = await create("notes", 5);
  await deployMigrations(database.url, rootDir);
  await appendFile(fileOf(folder), "-- afterthought");
  expect((await migrationStatus(database.url, rootDir)).editedMigrationNames).toEqual([folder]);
});

test("a name that would leave the folder is rejected", async () => {
  await expect(createAt("../notes", 5)).rejects.toThrow(/lower case letters/);
});

test("a database with foreign tables is not changed", async () => {
  await create("notes", 5);
  await query("CREATE TABLE theirs (id int)");
  await expect(deployMigrations(database.url, rootDir)).rejects.toThrow(/do not belong to svc: set DATABASE_URL/);
});

test("an unavailable database gives one readable error", async () => {
  await create("notes", 5);
  await expect(deployMigrations("postgresql://postgres@127.0.0.1:1/none", rootDir)).rejects.toThrow(/ECONNREFUSED/);
});
