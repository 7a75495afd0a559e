import { readFileSync } from "node:fs";
import path from "node:path";
import { main } from "../sdk/command-line/main";
import { processIo } from "../sdk/command-line/process-io";
import { rootKeysOf } from "./cloud/data/objects/encryption";
import { type Config, readConfig, senderOf } from "./config";
import { MemoryCounters } from "./engines/counters/memory-counters";
import { connectRedisCounters } from "./engines/counters/redis-counters";
import { readSecret } from "./engines/data-dir";
import { createMail } from "./engines/mail/mail";
import { connectPostgres } from "./engines/postgres/connect-postgres";
import { runDbCommand } from "./engines/postgres/db-command";
import { startPostgres } from "./engines/postgres/start-postgres";
import { createHasher } from "./identity/users/hasher";
import { systemClock } from "./kernel/clock";
import { deriveKey } from "./kernel/secrets";
import { runNodeCommand } from "./node-agent/node-command";
import { runAdmin } from "./operators/admin";
import type { OperatorCtx } from "./operators/operator-ctx";
import { ALL_QUOTAS } from "./quotas";

/** Prisma's codes for a missing table and a missing column, and those of Postgres. */
const NO_TABLES = new Set(["P2021", "P2022", "42P01", "42703"]);
const HELP = new Set(["help", "--help", "-h"]);
const ADMIN_HINT = `
More commands for operators, on the machine where the server is installed:
  npm run svc -- admin --help   accounts, limits, sign-up, audit logs, backups
  npm run db -- help            migrations
  npm run svc -- node --help    run pods of an svc on this machine
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printError = (line: string): void => void process.stderr.write(`${line}\n`);

/** Runs the arguments of `npm run db --` and `npm run svc --`; returns the exit status. */
async function runCli([product, ...argv]: readonly string[]): Promise<number> {
  if (product === "db") {
    const { rootDir, databaseUrl, dataDir } = readConfig();
    return runDbCommand(argv, { rootDir, databaseUrl, dataDir, print });
  }
  const [first = "--help", ...rest] = argv;
  if (first === "admin") {
    const progress = (step: string) => printError(`svc: ${step} …`);
    return runAdmin(rest, {
      withAccounts: (act) => withAccounts(readConfig(), act, progress),
      engines: () => ({ installation: readConfig(), progress }),
      print,
      printError,
    });
  }
  if (first === "node") {
    const { rootDir, dataDir, logLevel } = readConfig();
    return runNodeCommand(rest, { rootDir, dataDir, logLevel, version: versionOf(rootDir), print });
  }
  // A reader such as `head` may close the pipe.
  process.stdout.on("error", ({ code }: NodeJS.ErrnoException) => process.exit(code === "EPIPE" ? 0 : 1));
  const status = await main(argv, processIo());
  if (HELP.has(first)) print(ADMIN_HINT);
  return status;
}

const versionOf = (rootDir: string): string =>
  (JSON.parse(readFileSync(path.join(rootDir, "package.json"), "utf8")) as { version: string }).version;

/** Works next to a running server; starts the embedded database if none is running. */
async function withAccounts<T>(
  config: Config,
  act: (ctx: OperatorCtx) => Promise<T>,
  progress: OperatorCtx["progress"],
): Promise<T> {
  const { databaseUrl, dataDir, publicUrl, redisUrl, currency, signup: configuredSignUp } = config;
  const server = databaseUrl === undefined ? await startPostgres(config) : undefined;
  const { db, sql, close } = connectPostgres(databaseUrl ?? server?.url ?? "", { poolMax: 2 });
  const clock = systemClock;
  const redis = redisUrl === undefined ? undefined : await connectRedisCounters(redisUrl, { onError: () => undefined });
  // Without Redis the running server is not notified of changes; its cached values expire.
  const counters = redis ?? new MemoryCounters(clock, () => undefined);
  const secret = config.secret ?? readSecret(dataDir);
  const keys = {
    jwtKey: deriveKey(secret, "jwt"),
    logInKey: deriveKey(secret, "log_in"),
    secretsKey: deriveKey(secret, "secrets"),
    objectKeys: rootKeysOf(secret, config.previousSecret),
    nodesKey: deriveKey(secret, "nodes"),
  };
  const mail = createMail({ db, clock, from: senderOf(config), ...config });
  try {
    const hasher = await createHasher();
    return await act({
      db,
      sql,
      clock,
      counters,
      hasher,
      mail,
      currency,
      publicUrl,
      configuredSignUp,
      progress,
      quotas: ALL_QUOTAS,
      ...keys,
    });
  } catch (failure) {
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
    if (!NO_TABLES.has(String(code))) throw failure;
    throw new Error("The database has no tables of this version of svc: run npm run db -- deploy, or start svc once.", {
      cause: failure,
    });
  } finally {
    await redis?.close();
    await close();
    await server?.stop();
  }
}

try {
  process.exitCode = await runCli(process.argv.slice(2));
} catch (failure) {
  process.stderr.write(`svc: ${failure instanceof Error ? failure.message : String(failure)}\n`);
  process.exitCode = 1;
}
