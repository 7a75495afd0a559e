import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { withoutVersion } from "../call-api";
import { NotLoggedIn, UsageError } from "./errors";

type Env = Readonly<Record<string, string | undefined>>;

/** What `svc login` stores. */
export interface Credentials {
  base_url: string;
  key: string;
  /** The ID of a key that login created, which logout revokes. */
  key_id?: string | undefined;
}

export const DEFAULT_BASE_URL = "http://localhost:3000";

/** `$XDG_CONFIG_HOME/svc/credentials.json`, by default under `~/.config`. */
export function credentialsPath({ XDG_CONFIG_HOME, HOME }: Env): string {
  const config = XDG_CONFIG_HOME || path.join(HOME || os.homedir(), ".config");
  return path.join(config, "svc", "credentials.json");
}

/** The stored credentials, if any. @throws UsageError for a malformed file, or one that other users can read. */
export function readCredentials(env: Env): Credentials | undefined {
  const file = credentialsPath(env);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
    throw new UsageError(`${file} contains a key and is readable by others; run chmod 600 ${file} and rotate the key.`);
  }
  try {
    const { base_url, key, key_id } = JSON.parse(readFileSync(file, "utf8")) as Partial<Credentials>;
    if (typeof base_url === "string" && typeof key === "string") return { base_url, key, key_id };
  } catch {
    // Reported below: the parser's message may contain the file's content.
  }
  throw new UsageError(`${file} is malformed; delete it and run svc login.`);
}

export function saveCredentials(env: Env, credentials: Credentials): string {
  const file = credentialsPath(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // The mode applies only to a new file, so an existing file is removed first.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(file, 0o600);
  return file;
}

export const deleteCredentials = (env: Env): void => rmSync(credentialsPath(env), { force: true });

/** The URL and key to use: from the environment, else from the stored login. A stored key is sent only to its own server. */
export function resolveConnection(env: Env, baseUrl: string | undefined): { baseUrl: string; key: string | undefined } {
  const stored = env.SVC_API_KEY && (baseUrl || env.SVC_BASE_URL) ? undefined : readCredentials(env);
  const chosen = withoutVersion(baseUrl ?? (env.SVC_BASE_URL || undefined) ?? stored?.base_url ?? DEFAULT_BASE_URL);
  if (env.SVC_API_KEY) return { baseUrl: chosen, key: env.SVC_API_KEY };
  if (stored && originOf(stored.base_url) !== originOf(chosen)) {
    throw new NotLoggedIn(
      `You are logged in at ${stored.base_url}, not at ${chosen}: run svc login --base-url ${chosen}, or set SVC_API_KEY.`,
    );
  }
  return { baseUrl: chosen, key: stored?.key };
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
