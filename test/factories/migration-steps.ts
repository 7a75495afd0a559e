import { cp, mkdir, mkdtemp, readdir, rm, symlink } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";
import { deployMigrations } from "../../server/engines/postgres/deploy-migrations";
import { emptyDatabase } from "./postgres";

const PROJECT = path.resolve(import.meta.dirname, "../..");

/** An empty database that receives the project's migrations in steps, so that a test can write as an older version did. */
export async function migrationSteps() {
  const database = await emptyDatabase();
  const rootDir = await mkdtemp(path.join(os.tmpdir(), "svc-migration-"));
  await mkdir(path.join(rootDir, "prisma/migrations"), { recursive: true });
  await cp(path.join(PROJECT, "prisma/schema"), path.join(rootDir, "prisma/schema"), { recursive: true });
  await symlink(path.join(PROJECT, "node_modules"), path.join(rootDir, "node_modules"));
  const clients: Client[] = [];
  return {
    /** A connection that `close` ends; `options` are those of libpq. */
    async connect(options?: string): Promise<Client> {
      const client = new Client({ connectionString: database.url, ...(options === undefined ? {} : { options }) });
      clients.push(client);
      await client.connect();
      return client;
    },
    /** Applies the migrations whose names are wanted and that are not applied yet. */
    async deploy(isWanted: (name: string) => boolean): Promise<void> {
      const from = path.join(PROJECT, "prisma/migrations");
      for (const name of (await readdir(from)).filter(isWanted)) {
        await cp(path.join(from, name), path.join(rootDir, "prisma/migrations", name), { recursive: true });
      }
      await deployMigrations(database.url, rootDir);
    },
    async close(): Promise<void> {
      for (const client of clients) await client.end();
      await database.close();
      await rm(rootDir, { recursive: true });
    },
  };
}
