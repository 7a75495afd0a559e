import { main } from "../sdk/command-line/main";
import { processIo } from "../sdk/command-line/process-io";
import { type Config, readConfig } from "./config";
import { MemoryCounters } from "./engines/counters/memory-counters";
import { connectRedisCounters } from "./engines/counters/redis-counters";
import { readSecret } from "./engines/data-dir";
import { connectPostgres } from "./engines/postgres/connect-postgres";
import { runDbCommand } from "./engines/postgres/db-command";
import { startPostgres } from "./engines/postgres/start-postgres";
import { createHasher } from "./identity/users/hasher";
import { systemClock } from "./kernel/clock";
import { deriveKey } from "./kernel/secrets";
import { runAdmin } from "./operators/admin";
import type { OperatorCtx } from "./operators/operator-ctx";

const HELP = new Set(["help", "--help", "-h"]);
const ADMIN_HINT = `
Where the server is installed, operators have more:
  npm run svc -- admin --help   accounts, limits, sign-up, audit logs, backups
  npm run db -- help            migrations
`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);
const printError = (line: string): void => void process.stderr.write(`${line}\n`);

/** What is typed behind `npm run db --` and `npm run svc --`; answers the exit status. */
async function runCli([product, ...argv]: readonly string[]): Promise<number> {
  if (product === "db") {
    const { rootDir, databaseUrl, dataDir } = readConfig();
    return runDbCommand(argv, { rootDir, databaseUrl, dataDir, print });
  }
  const [first = "--help", ...rest] = argv;
  if (first === "admin") {
    const progress = (step: string) => printError(`svc: ${step} …`);
    return runAdmin(rest, {
      withAccounts: (act) => withAccounts(readConfig(), act),
      engines: () => ({ installation: readConfig(), progress }),
      ...{ print, printError },
    });
  }
  const status = await main(argv, processIo());
  if (HELP.has(first)) print(ADMIN_HINT);
  return status;
}

/** Works beside a running server, and starts the embedded database for itself when there is none. */
async function withAccounts<T>(config: Config, act: (ctx: OperatorCtx) => Promise<T>): Promise<T> {
  const { databaseUrl, dataDir, publicUrl, redisUrl, signup: configuredSignUp } = config;
  const server = databaseUrl === undefined ? await startPostgres(config) : undefined;
  const { db, close } = connectPostgres(databaseUrl ?? server?.url ?? "", { poolMax: 2 });
  const clock = systemClock;
  const redis = redisUrl === undefined ? undefined : await connectRedisCounters(redisUrl, { onError: () => undefined });
  // Without Redis the running process does not hear of changes; what it remembers expires.
  const counters = redis ?? new MemoryCounters(clock, () => undefined);
  const jwtKey = deriveKey(config.secret ?? readSecret(dataDir), "jwt");
  try {
    return await act({ db, clock, counters, hasher: await createHasher(), publicUrl, jwtKey, configuredSignUp });
  } catch (failure) {
    // Prisma's codes for a table and for a column that is not there.
    const code = failure instanceof Error && "code" in failure ? failure.code : undefined;
    if (code !== "P2021" && code !== "P2022") throw failure;
    throw new Error("The database lacks tables of this version of svc: run npm run db -- deploy, or start svc once.", {
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
