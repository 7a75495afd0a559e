import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { deployMigrations } from "./deploy-migrations";
import { createMigration, migrationStatus, verifyMigrations } from "./migrate";
import { startPostgres } from "./start-postgres";

const USAGE = `Usage: npm run db -- <command>
  deploy          apply all pending migrations
  status          list applied, pending, interrupted and edited migrations
  create <name>   write a migration from the changes in prisma/schema
  verify          exit with 1 if prisma/schema has changes that are in no migration`;

export interface DbCommand {
  rootDir: string;
  /** Default: the embedded database in `dataDir`, started for the command unless it is already running. */
  databaseUrl?: string | undefined;
  dataDir: string;
  print: (line: string) => void;
}

/** Runs `npm run db -- …` and returns its exit status: 0, 1 if it failed or found a difference, 2 for wrong usage. */
export async function runDbCommand(argv: readonly string[], options: DbCommand): Promise<number> {
  const [name = "", argument, ...rest] = argv;
  const command = COMMANDS[name];
  if (!command || rest.length > 0 || command.takesName !== (argument !== undefined)) {
    options.print(USAGE);
    return 2;
  }
  try {
    return await command.run(options, argument ?? "");
  } catch (cause) {
    options.print(cause instanceof Error ? cause.message : String(cause));
    return 1;
  }
}

interface Command {
  takesName: boolean;
  run(options: DbCommand, argument: string): Promise<number>;
}

const COMMANDS: Readonly<Record<string, Command>> = {
  deploy: {
    takesName: false,
    run: (options) =>
      withDatabase(options, async (url) => {
        const applied = await deployMigrations(url, options.rootDir);
        options.print(applied.length === 0 ? "Nothing is pending." : `Applied ${applied.join(", ")}.`);
        return 0;
      }),
  },
  status: { takesName: false, run: (options) => withDatabase(options, (url) => printStatus(options, url)) },
  create: {
    takesName: true,
    run: ({ rootDir, print }, name) =>
      withScratch(rootDir, async (scratchUrl) => {
        const folder = await createMigration({ rootDir, name, now: new Date(), scratchUrl });
        print(folder === undefined ? "prisma/schema has not changed." : `Wrote prisma/migrations/${folder}.`);
        return 0;
      }),
  },
  verify: {
    takesName: false,
    run: ({ rootDir, print }) =>
      withScratch(rootDir, async (scratchUrl) => {
        const missing = await verifyMigrations(rootDir, scratchUrl);
        print(
          missing === undefined
            ? "The migrations match prisma/schema."
            : `These changes are in no migration yet:\n${missing}`,
        );
        return missing === undefined ? 0 : 1;
      }),
  },
};

async function printStatus({ rootDir, print }: DbCommand, url: string): Promise<number> {
  const { failedMigrationNames, editedMigrationNames, history } = await migrationStatus(url, rootDir);
  const pending = history && "unappliedMigrationNames" in history ? history.unappliedMigrationNames : [];
  const unknown = history && "unpersistedMigrationNames" in history ? history.unpersistedMigrationNames : [];
  const findings = [
    ["interrupted or failed; deploy retries them", failedMigrationNames],
    ["edited after they were applied", editedMigrationNames],
    ["pending", pending],
    ["in the database but not in prisma/migrations", unknown],
  ] as const;
  const lines = findings.filter(([, names]) => names.length > 0).map(([what, names]) => `${what}: ${names.join(", ")}`);
  for (const line of lines.length > 0 ? lines : ["Everything is applied."]) print(line);
  return failedMigrationNames.length > 0 ? 1 : 0;
}

/** A server that svc already runs is only used; one that was started for the command is stopped with it. */
async function withDatabase(options: DbCommand, run: (url: string) => Promise<number>): Promise<number> {
  if (options.databaseUrl !== undefined) return run(options.databaseUrl);
  const postgres = await startPostgres({ rootDir: options.rootDir, dataDir: options.dataDir });
  try {
    return await run(postgres.url);
  } finally {
    await postgres.stop();
  }
}

/** An embedded server of its own, with an empty database, whose files are deleted afterwards. */
async function withScratch(rootDir: string, run: (url: string) => Promise<number>): Promise<number> {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), "svc-scratch-"));
  try {
    const postgres = await startPostgres({ rootDir, dataDir, settings: { fsync: "off" } });
    try {
      return await run(postgres.url);
    } finally {
      await postgres.stop();
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}
