import { chmodSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { NotLoggedIn, UsageError } from "./refusals";

type Env = Readonly<Record<string, string | undefined>>;

/** What log-in keeps. */
export interface Credentials {
  base_url: string;
  key: string;
  /** Of a key that log-in made, which log-out revokes. */
  key_id?: string | undefined;
}

export const DEFAULT_BASE_URL = "http://localhost:3000";

/** `$XDG_CONFIG_HOME/svc/credentials.json`, by default under `~/.config`. */
export function credentialsPath({ XDG_CONFIG_HOME, HOME }: Env): string {
  const config = XDG_CONFIG_HOME || path.join(HOME || os.homedir(), ".config");
  return path.join(config, "svc", "credentials.json");
}

/** What log-in kept, undefined for nothing. @throws UsageError for a file that others may read, or that is broken. */
export function readCredentials(env: Env): Credentials | undefined {
  const file = credentialsPath(env);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return undefined;
  if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) {
    throw new UsageError(`${file} holds a key and is open to others; run chmod 600 ${file} and rotate the key.`);
  }
  try {
    const { base_url, key, key_id } = JSON.parse(readFileSync(file, "utf8")) as Partial<Credentials>;
    if (typeof base_url === "string" && typeof key === "string") return { base_url, key, key_id };
  } catch {
    // Told below: a parser's words may repeat what stands in the file.
  }
  throw new UsageError(`${file} is broken; delete it and run svc login.`);
}

export function keepCredentials(env: Env, credentials: Credentials): string {
  const file = credentialsPath(env);
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  // The mode counts only for a new file; an old one must not be open while it is written.
  rmSync(file, { force: true });
  writeFileSync(file, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600, flag: "wx" });
  chmodSync(file, 0o600);
  return file;
}

export const forgetCredentials = (env: Env): void => rmSync(credentialsPath(env), { force: true });

/** The address and the key to call with: the environment's, else those of log-in. A kept key goes to its own svc alone. */
export function connectionOf(env: Env, baseUrl: string | undefined): { baseUrl: string; key: string | undefined } {
  const kept = env.SVC_API_KEY && (baseUrl || env.SVC_BASE_URL) ? undefined : readCredentials(env);
  const chosen = baseUrl ?? (env.SVC_BASE_URL || undefined) ?? kept?.base_url ?? DEFAULT_BASE_URL;
  if (env.SVC_API_KEY) return { baseUrl: chosen, key: env.SVC_API_KEY };
  if (kept && originOf(kept.base_url) !== originOf(chosen)) {
    throw new NotLoggedIn(
      `You are logged in at ${kept.base_url}, not at ${chosen}: run svc login --base-url ${chosen}, or set SVC_API_KEY.`,
    );
  }
  return { baseUrl: chosen, key: kept?.key };
}

const originOf = (url: string): string => (URL.canParse(url) ? new URL(url).origin : url);
