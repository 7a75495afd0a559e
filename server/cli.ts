import { type Config, readConfig } from "./config";
import { connectPostgres } from "./engines/postgres/connect-postgres";
import { runDbCommand } from "./engines/postgres/db-command";
import { startPostgres } from "./engines/postgres/start-postgres";
import { inviteByOperator } from "./identity/invitations/invite-by-operator";
import { createHasher } from "./identity/users/hasher";
import { resetPasswordByOperator } from "./identity/users/reset-password-by-operator";
import { Email } from "./identity/users/user";
import { systemClock } from "./kernel/clock";

const USAGE = `Usage: npm run svc -- <command>
  reset-password <email>         set a random password and end every session
  reset-password <email> --link  print a link that sets a new password once, within an hour
  invite <email>                 print a link to sign up with, for seven days (SVC_SIGNUP=invite)
  help                           this text

The database has commands of its own: npm run db -- help`;

const print = (line: string): void => void process.stdout.write(`${line}\n`);

/** What an operator does from the shell; answers the exit status: 0, 1 when it failed, 2 for wrong usage. */
async function runCli([product, ...argv]: readonly string[]): Promise<number> {
  const config = readConfig();
  if (product === "db") {
    const { rootDir, databaseUrl, dataDir } = config;
    return runDbCommand(argv, { rootDir, databaseUrl, dataDir, print });
  }
  const [command, email, option, ...rest] = argv;
  const known =
    command === "invite"
      ? option === undefined
      : command === "reset-password" && [undefined, "--link"].includes(option);
  if (!known || email === undefined || rest.length > 0) {
    print(USAGE);
    return command === "help" || command === "--help" ? 0 : 2;
  }
  const address = Email.safeParse(email);
  if (!address.success) {
    print(`"${email}" is not an e-mail address.`);
    return 2;
  }
  return withAccounts(config, async (ctx) => {
    if (command === "invite") return print((await inviteByOperator(ctx, { email: address.data })).link);
    const reset = await resetPasswordByOperator(ctx, { email: address.data, with: option ? "link" : "password" });
    print("link" in reset ? reset.link : `New password of ${reset.email}: ${reset.password}`);
  });
}

interface OperatorCtx extends Pick<Config, "publicUrl"> {
  db: ReturnType<typeof connectPostgres>["db"];
  clock: typeof systemClock;
  hasher: Awaited<ReturnType<typeof createHasher>>;
}

/** Works beside a running server, and starts the embedded database for itself when there is none. */
async function withAccounts(config: Config, act: (ctx: OperatorCtx) => Promise<void>): Promise<number> {
  const server = config.databaseUrl === undefined ? await startPostgres(config) : undefined;
  const { db, close } = connectPostgres(config.databaseUrl ?? server?.url ?? "", { poolMax: 2 });
  try {
    await act({ db, clock: systemClock, hasher: await createHasher(), publicUrl: config.publicUrl });
    return 0;
  } catch (failure) {
    print(failure instanceof Error ? failure.message : String(failure));
    return 1;
  } finally {
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
