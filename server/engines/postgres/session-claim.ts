import { Client } from "pg";
import { TaskQueue } from "../../kernel/keyed-queue";

/** A database that does not respond must not keep a caller waiting. */
const CONNECTION = { connectionTimeoutMillis: 2000, query_timeout: 5000, keepAlive: true };
/** If the machine that has a claim disappears, the database notices within about 30 s. */
const KEEPALIVES = "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 4";

/** The session ended, and its claims with it. */
export class LostSession extends Error {
  constructor() {
    super("the connection that claims depend on has ended");
  }
}

/**
 * Claims of this process, each to a name that one session at a time has among all of a database. They have no time limit:
 * they end with `release` or `close`, with the process, also by kill -9, or with the connection, which is one of its own
 * and not of a pool. The holder notices by the signal. Another process may have a name from then on, so that what must not
 * overlap either uses the connection of the claim (`client`), or is rejected by a count that each holder increases.
 */
export class ClaimSession {
  /** Statements on it fail when the claims are lost. */
  readonly client: Client;
  readonly #names = new Set<string>();
  readonly #losing = new AbortController();
  /** Calls follow each other, because a connection executes one statement at a time. */
  readonly #calls = new TaskQueue();
  #isClosed = false;

  private constructor(client: Client) {
    this.client = client;
    client.once("end", () => {
      if (!this.#isClosed) this.#losing.abort(new LostSession());
    });
  }

  /** Connects to the database. */
  static async open(connectionString: string | undefined): Promise<ClaimSession> {
    const client = new Client({ ...CONNECTION, connectionString });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query(KEEPALIVES);
    } catch (cause) {
      await client.end().catch(() => undefined);
      throw cause;
    }
    return new ClaimSession(client);
  }

  /** Aborts with `LostSession` when the connection ends, unless by `close`. */
  get signal(): AbortSignal {
    return this.#losing.signal;
  }

  /** Claims a name; false if another session, or this one, has it. */
  async take(name: string): Promise<boolean> {
    // Postgres would give a session the same lock again.
    if (this.#names.has(name)) return false;
    this.#names.add(name);
    let isTaken = false;
    try {
      isTaken = await this.#call("pg_try_advisory_lock", name);
    } finally {
      if (!isTaken) this.#names.delete(name);
    }
    return isTaken;
  }

  /** Ends one claim. If that fails, it ends the session. */
  async release(name: string): Promise<void> {
    if (!this.#names.has(name) || this.signal.aborted) return;
    const isReleased = await this.#call("pg_advisory_unlock", name).catch(() => false);
    this.#names.delete(name);
    if (!isReleased) await this.client.end().catch(() => undefined);
  }

  /** Ends all claims and the connection; the signal does not abort. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.client.end().catch(() => undefined);
  }

  #call(call: string, name: string): Promise<boolean> {
    return this.#calls.run(async () => {
      const text = `SELECT ${call}(hashtextextended($1, 0)) AS yes`;
      const { rows } = await this.client.query<{ yes: boolean }>(text, [name]);
      return rows[0]?.yes === true;
    });
  }
}

/** A session with one claim; undefined if another process has it. */
export async function claimName(connectionString: string | undefined, name: string): Promise<ClaimSession | undefined> {
  const session = await ClaimSession.open(connectionString);
  let isTaken = false;
  try {
    isTaken = await session.take(name);
  } finally {
    if (!isTaken) await session.close();
  }
  return isTaken ? session : undefined;
}
