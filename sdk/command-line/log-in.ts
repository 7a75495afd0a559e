import { parseArgs } from "node:util";
import { createPlatformClient, type PlatformClientOptions, SvcError } from "../platform-client";
import { commands } from "./command";
import {
  connectionOf,
  credentialsPath,
  DEFAULT_BASE_URL,
  forgetCredentials,
  keepCredentials,
  readCredentials,
} from "./credentials";
import type { Io } from "./io";
import { paperOf, printRecord } from "./print-table";
import { EXIT, NotLoggedIn, UsageError } from "./refusals";
import { sayRetry, usable } from "./run-command";

type CreateKey = Parameters<ReturnType<typeof createPlatformClient>["keys"]["create"]>[0];

export const LOGIN_USAGE = `Usage: svc login [--base-url https://svc.example] [--email you@example.com]
       svc login --key -            keep a key that you have; it is asked for

Log-in by e-mail and password makes a key named after this machine, with every scope that you may grant,
and keeps it in a file that only you can read. The password is asked for and not kept.

  --base-url   Where svc is (default SVC_BASE_URL, else ${DEFAULT_BASE_URL})
  --email      Instead of being asked
  --key        A platform key, or - to be asked for it
  --project    The id or name of the project of the key (default your first)
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

/** `svc login`: keeps a given key, or one that is made for the person who logs in. */
export async function logIn(argv: readonly string[], io: Io): Promise<number> {
  const flags = usable(() => parseArgs({ args: [...argv], options: LOGIN_FLAGS }).values);
  if (flags.help) {
    io.stdout.write(LOGIN_USAGE);
    return EXIT.ok;
  }
  const baseUrl = flags["base-url"] ?? (io.env.SVC_BASE_URL || DEFAULT_BASE_URL);
  if (flags.mode && !["test", "live"].includes(flags.mode)) {
    throw new UsageError(`--mode: it must be one of test, live, not "${flags.mode}".`);
  }
  const made = flags.key === undefined ? await makeKey(baseUrl, flags, io) : await givenKey(baseUrl, flags.key, io);
  await endEarlier(io);
  const file = keepCredentials(io.env, { base_url: baseUrl, ...made });
  io.stdout.write(`Logged in at ${baseUrl}. The key is kept in ${file}.\n`);
  return EXIT.ok;
}

const clientOf = (baseUrl: string, io: Io, given: Partial<PlatformClientOptions>) =>
  usable(() =>
    createPlatformClient({
      ...{ baseUrl, fetch: io.fetch, timing: io.timing, ...given },
      onRetry: (failure, pauseMs) => sayRetry(io, failure, pauseMs),
    }),
  );

/** A key is kept once svc has taken it. */
async function givenKey(baseUrl: string, typed: string, io: Io): Promise<{ key: string }> {
  const key = (typed === "-" ? await io.ask("Platform key: ", { hidden: true }) : typed).trim();
  await clientOf(baseUrl, io, { key }).tenants.get();
  return { key };
}

interface LogInFlags {
  email?: string;
  project?: string;
  mode?: string;
}

async function makeKey(baseUrl: string, flags: LogInFlags, io: Io): Promise<{ key: string; key_id: string }> {
  const visitor = clientOf(baseUrl, io, {});
  const email = (flags.email ?? (await io.ask("E-mail: "))).trim();
  const password = await io.ask("Password: ", { hidden: true });
  const { access_token: accessToken } = await visitor.auth.login({ email, password });
  const person = clientOf(baseUrl, io, { accessToken });
  const made = await person.keys.create({
    name: `svc on ${io.hostname}`.slice(0, 100),
    project: flags.project,
    scopes: everyScope() as CreateKey["scopes"],
    mode: flags.mode as CreateKey["mode"],
  });
  return { key: made.key, key_id: made.id };
}

/** The key of an earlier log-in would be forgotten and go on working; where it cannot be ended, it is none to wait for. */
async function endEarlier(io: Io): Promise<void> {
  const { base_url, key, key_id: id } = readCredentials(io.env) ?? {};
  if (base_url === undefined || id === undefined) return;
  const earlier = clientOf(base_url, io, { key });
  await earlier.keys.revoke({ id }, { retries: 0, timeoutMs: 5_000 }).catch((failure: unknown) => {
    if (failure instanceof SvcError && failure.code === "unauthorized") return;
    io.stderr.write(`svc: the key ${id} of an earlier log-in was not revoked; revoke it on the dashboard.\n`);
  });
}

/** Only owners and admins make keys, and they have every scope. */
function everyScope(): readonly string[] {
  const fields = commands.find(({ noun, verb }) => noun === "keys" && verb === "create")?.fields;
  return (fields?.find(({ name }) => name === "scopes")?.values ?? []) as readonly string[];
}

/** `svc logout`: revokes the key that log-in made, and forgets it. */
export async function logOut(io: Io): Promise<number> {
  const kept = readCredentials(io.env);
  if (!kept) {
    io.stdout.write("You were not logged in.\n");
    return EXIT.ok;
  }
  forgetCredentials(io.env);
  if (kept.key_id === undefined) {
    io.stdout.write("Logged out. The key itself still works; svc keys revoke ends it.\n");
    return EXIT.ok;
  }
  try {
    await clientOf(kept.base_url, io, { key: kept.key }).keys.revoke({ id: kept.key_id });
  } catch (failure) {
    // A key that svc no longer takes needs no end.
    if (!(failure instanceof SvcError)) throw failure;
    if (failure.code !== "unauthorized") {
      io.stderr.write(
        `svc: the key ${kept.key_id} is forgotten here, but was not revoked; revoke it on the dashboard.\n`,
      );
      throw failure;
    }
  }
  io.stdout.write("Logged out; the key was revoked.\n");
  return EXIT.ok;
}

/** `svc whoami`: whose key is used, and where it comes from. */
export async function whoAmI(argv: readonly string[], io: Io): Promise<number> {
  const options = { json: { type: "boolean" }, "base-url": { type: "string" } } as const;
  const flags = usable(() => parseArgs({ args: [...argv], options }).values);
  const { baseUrl, key } = connectionOf(io.env, flags["base-url"]);
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
  else printRecord(paperOf(io), who);
  return EXIT.ok;
}
