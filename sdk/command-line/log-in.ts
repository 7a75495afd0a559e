import { parseArgs } from "node:util";
import { withoutVersion } from "../call-api";
import { createPlatformClient, type PlatformClientOptions, SvcError } from "../platform-client";
import { commands } from "./command";
import { reportRetry, withUsageErrors } from "./connect";
import {
  credentialsPath,
  DEFAULT_BASE_URL,
  deleteCredentials,
  readCredentials,
  resolveConnection,
  saveCredentials,
} from "./credentials";
import { EXIT, NotLoggedIn, UsageError } from "./errors";
import type { Io } from "./io";
import { printRecord, tableOutput } from "./print-table";

type CreateKey = Parameters<ReturnType<typeof createPlatformClient>["keys"]["create"]>[0];

export const LOGIN_USAGE = `Usage: svc login [--base-url https://svc.example] [--email you@example.com]
       svc login [--base-url https://svc.example] --key -

Logging in with email and password creates a key named after this machine, with every scope that you can grant,
and stores it in a file that only you can read. The password is prompted for and not stored. With --key - an existing
key is read from the prompt or from standard input and stored instead.

  --base-url   The URL of svc (default SVC_BASE_URL, else ${DEFAULT_BASE_URL})
  --email      Your email address, instead of the prompt
  --key        - to read a platform key from the prompt or standard input. The key itself also works, but other
               users of this computer can see the arguments of a running command
  --project    The ID or name of the key's project (default: your first)
  --mode       test (default) or live
`;

const LOGIN_FLAGS = {
  "base-url": { type: "string" },
  email: { type: "string" },
  key: { type: "string" },
  project: { type: "string" },
  mode: { type: "string" },
  help: { type: "boolean", short: "h" },
} as const;

/** `svc login`: stores a given key, or one that is created for the user who logs in. */
export async function logIn(argv: readonly string[], io: Io): Promise<number> {
  const flags = withUsageErrors(() => parseArgs({ args: [...argv], options: LOGIN_FLAGS }).values);
  if (flags.help) {
    io.stdout.write(LOGIN_USAGE);
    return EXIT.ok;
  }
  const baseUrl = withoutVersion(flags["base-url"] ?? (io.env.SVC_BASE_URL || DEFAULT_BASE_URL));
  if (flags.mode && !["test", "live"].includes(flags.mode)) {
    throw new UsageError(`--mode: it must be one of test, live, not "${flags.mode}".`);
  }
  const created =
    flags.key === undefined ? await createKey(baseUrl, flags, io) : await verifyKey(baseUrl, flags.key, io);
  await revokeEarlierKey(io);
  const file = saveCredentials(io.env, { base_url: baseUrl, ...created });
  io.stdout.write(`Logged in at ${baseUrl}. The key is stored in ${file}.\n`);
  return EXIT.ok;
}

const clientOf = (baseUrl: string, io: Io, given: Partial<PlatformClientOptions>) =>
  withUsageErrors(() =>
    createPlatformClient({
      baseUrl,
      fetch: io.fetch,
      timing: io.timing,
      ...given,
      onRetry: (failure, pauseMs) => reportRetry(io, failure, pauseMs),
    }),
  );

/** A key is stored only after svc has accepted it. */
async function verifyKey(baseUrl: string, typed: string, io: Io): Promise<{ key: string }> {
  const key = (typed === "-" ? await io.ask("Platform key: ", { hidden: true }) : typed).trim();
  await clientOf(baseUrl, io, { key }).tenants.get();
  return { key };
}

interface LogInFlags {
  email?: string;
  project?: string;
  mode?: string;
}

async function createKey(baseUrl: string, flags: LogInFlags, io: Io): Promise<{ key: string; key_id: string }> {
  const visitor = clientOf(baseUrl, io, {});
  const email = (flags.email ?? (await io.ask("Email: "))).trim();
  const password = await io.ask("Password: ", { hidden: true });
  const { access_token: accessToken } = await authenticate(visitor, { email, password }, io);
  const person = clientOf(baseUrl, io, { accessToken });
  const made = await person.keys.create({
    name: `svc on ${io.hostname}`.slice(0, 100),
    project: flags.project,
    scopes: everyScope() as CreateKey["scopes"],
    mode: flags.mode as CreateKey["mode"],
  });
  return { key: made.key, key_id: made.id };
}

type Visitor = ReturnType<typeof clientOf>;

/** Asks for a code when svc requires one in addition to the password, after too many wrong passwords. */
async function authenticate(visitor: Visitor, credentials: { email: string; password: string }, io: Io) {
  // A retry after the limit would wait for half a minute, and a code works at once.
  const once = { retries: 0 };
  const first = await visitor.auth.login(credentials, once).catch(codeReason);
  if (typeof first !== "string") return first;
  // An empty code requests a new one; `code_required` means that one has been sent.
  const sent =
    first === "code_required" ? first : await visitor.auth.login({ ...credentials, code: "" }, once).catch(codeReason);
  if (typeof sent !== "string") return sent;
  io.stderr.write(
    "svc: this login also needs a code, because of too many wrong passwords. If the password is right, the code was sent to your email address; without email, ask the operator of this site.\n",
  );
  const code = (await io.ask("Code: ")).trim();
  return visitor.auth.login({ ...credentials, code }, once);
}

/** Why a code is needed; rethrows any other failure. */
function codeReason(failure: unknown): string {
  const reason = failure instanceof SvcError ? failure.details?.reason : undefined;
  if (reason === "code_required" || reason === "code_accepted") return reason;
  throw failure;
}

/** Revokes the key of an earlier login, which would otherwise stay valid; a failure does not stop the new login. */
async function revokeEarlierKey(io: Io): Promise<void> {
  const { base_url, key, key_id: id } = readCredentials(io.env) ?? {};
  if (base_url === undefined || id === undefined) return;
  const earlier = clientOf(base_url, io, { key });
  await earlier.keys.revoke({ id }, { retries: 0, timeoutMs: 5_000 }).catch((failure: unknown) => {
    if (failure instanceof SvcError && failure.code === "unauthorized") return;
    io.stderr.write(`svc: the key ${id} of an earlier login was not revoked; revoke it on the dashboard.\n`);
  });
}

/** Only owners and admins can create keys, and they have every scope. */
function everyScope(): readonly string[] {
  const fields = commands.find(({ noun, verb }) => noun === "keys" && verb === "create")?.fields;
  return (fields?.find(({ name }) => name === "scopes")?.values ?? []) as readonly string[];
}

/** `svc logout`: revokes the key that login created, and deletes it here. */
export async function logOut(io: Io): Promise<number> {
  const stored = readCredentials(io.env);
  if (!stored) {
    io.stdout.write("You were not logged in.\n");
    return EXIT.ok;
  }
  deleteCredentials(io.env);
  if (stored.key_id === undefined) {
    io.stdout.write("Logged out. The key itself is still valid; use svc keys revoke to revoke it.\n");
    return EXIT.ok;
  }
  try {
    await clientOf(stored.base_url, io, { key: stored.key }).keys.revoke({ id: stored.key_id });
  } catch (failure) {
    // An invalid key does not need to be revoked.
    if (!(failure instanceof SvcError)) throw failure;
    if (failure.code !== "unauthorized") {
      io.stderr.write(`svc: the key ${stored.key_id} was deleted here, but not revoked; revoke it on the dashboard.\n`);
      throw failure;
    }
  }
  io.stdout.write("Logged out; the key was revoked.\n");
  return EXIT.ok;
}

/** `svc whoami`: the key's tenant, and where the key comes from. */
export async function whoAmI(argv: readonly string[], io: Io): Promise<number> {
  const options = { json: { type: "boolean" }, "base-url": { type: "string" } } as const;
  const flags = withUsageErrors(() => parseArgs({ args: [...argv], options }).values);
  const { baseUrl, key } = resolveConnection(io.env, flags["base-url"]);
  if (!key) throw new NotLoggedIn("You are not logged in: run svc login, or set SVC_API_KEY to a platform key.");
  const tenant = await clientOf(baseUrl, io, { key }).tenants.get();
  const who = {
    tenant: tenant.name,
    tenant_id: tenant.id,
    base_url: baseUrl,
    mode: key.startsWith("svc_live_") ? "live" : "test",
    last_four: key.slice(-4),
    from: io.env.SVC_API_KEY ? "SVC_API_KEY" : credentialsPath(io.env),
  };
  if (flags.json) io.stdout.write(`${JSON.stringify(who, null, 2)}\n`);
  else printRecord(tableOutput(io), who);
  return EXIT.ok;
}
