import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import { backoffMs } from "../../kernel/backoff";

/** Every svc process that keeps its counters in memory takes this advisory lock ("svc1" in ASCII). */
const SINGLE_PROCESS_LOCK = 0x73_76_63_31;
const CONNECT_TIMEOUT_MS = 2000;
/** The connection of a process that has just been killed may stay open slightly longer than the process. */
const PATIENCE_MS = 2000;
const POLL_MS = 50;

export interface SingleProcess {
  release(): Promise<void>;
}

export interface ClaimSingleProcess {
  /** Another process took the claim while this one was disconnected from the database. */
  onLost?: (() => void) | undefined;
}

/**
 * Claims to be the only svc process on this database, which in-process counters require; undefined if another process
 * is. The claim is a session lock on a connection of its own, taken again whenever that connection was lost.
 */
export async function claimSingleProcess(
  url: string,
  { onLost }: ClaimSingleProcess = {},
): Promise<SingleProcess | undefined> {
  let released = false;
  let client = await claim(url);
  if (!client) return undefined;

  const watch = (held: Client) => {
    held.once("end", () => {
      if (!released) void reclaim();
    });
  };
  const reclaim = async () => {
    for (let attempt = 0; !released; attempt++) {
      await sleep(backoffMs(attempt), undefined, { ref: false });
      const outcome = await claim(url).catch(() => "unavailable" as const);
      if (outcome === "unavailable") continue;
      if (!outcome) return released ? undefined : onLost?.();
      client = outcome;
      if (released) await outcome.end();
      else watch(outcome);
      return;
    }
  };
  watch(client);
  return {
    release: async () => {
      released = true;
      await client?.end().catch(() => undefined);
    },
  };
}

async function claim(url: string): Promise<Client | undefined> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: CONNECT_TIMEOUT_MS, keepAlive: true });
  client.on("error", () => undefined);
  try {
    await client.connect();
    // If the machine that has the claim disappears, the database notices within about 30 s.
    await client.query("SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4");
    for (let waitedMs = 0; waitedMs <= PATIENCE_MS; waitedMs += POLL_MS) {
      const { rows } = await client.query<{ taken: boolean }>("SELECT pg_try_advisory_lock($1) AS taken", [
        SINGLE_PROCESS_LOCK,
      ]);
      if (rows[0]?.taken) return client;
      await sleep(POLL_MS);
    }
    await client.end();
    return undefined;
  } catch (cause) {
    await client.end().catch(() => undefined);
    throw cause;
  }
}
