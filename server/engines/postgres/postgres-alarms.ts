import { Client, DatabaseError, type Pool } from "pg";
import type { AlarmSource } from "../../kernel/alarms";
import { backoffMs } from "../../kernel/backoff";
import { pause } from "../../kernel/pause";
import { cut } from "./cut-connection";

/** Triggers send the topics that a transaction makes due on this channel; Postgres delivers them at its commit. */
const WAKE_CHANNEL = "svc_rounds";
const CONNECTION = { connectionTimeoutMillis: 2000, query_timeout: 5000, keepAlive: true, application_name: "svc" };
const RECONNECT_MAX_MS = 2000;
/**
 * The query reads many tables. It gives way to a migration that waits for one and has locked others, before Postgres looks
 * for deadlocks, which it does after a second, and ends one of the two.
 */
const LOCK_TIMEOUT_MS = 300;
const FLUSH_PREFIX = "flush:";

interface Listener {
  onWake(topic: string): void;
  /** Wake-ups may have been lost. */
  onConnect(): void;
}

/** Reads due times from Postgres, and listens for wake-ups on a connection of its own, which is replaced when it breaks. */
export class PostgresAlarms implements AlarmSource {
  readonly #sql: Pool;
  readonly #stopping = new AbortController();
  readonly #flushes = new Map<string, () => void>();
  #flushed = 0;
  #client: Client | undefined;
  #listening: Promise<void> | undefined;
  #connected = Promise.resolve();
  #markConnected = () => {};

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  /** Listens until `stop`. */
  listen(listener: Listener): void {
    this.#awaitConnection();
    this.#listening = this.#keepListening(listener);
  }

  /**
   * On the connection that listens: Postgres sends it the notifications of earlier commits before the answer, so that an
   * answer shows that none is missing. A connection without one is replaced.
   */
  async readDue(queries: ReadonlyMap<string, string>): Promise<ReadonlyMap<string, number>> {
    await this.#connected;
    const client = this.#client;
    if (!client) throw new Error("no connection listens any more");
    const selects = [...queries].map(
      ([topic, query]) => `SELECT '${topic}' AS topic, (extract(epoch FROM (${query})) * 1000)::float8 AS ms`,
    );
    const text = selects.join(" UNION ALL ") || "SELECT NULL AS topic, NULL AS ms LIMIT 0";
    const { rows } = await client.query<{ topic: string; ms: number | null }>(text).catch((cause: unknown) => {
      if (!(cause instanceof DatabaseError)) cut(client);
      throw cause;
    });
    return new Map(rows.flatMap(({ topic, ms }) => (ms === null ? [] : [[topic, ms]])));
  }

  /** Wakes the rounds of a topic in every process. */
  async notify(topic: string): Promise<void> {
    await this.#sql.query("SELECT pg_notify($1, $2)", [WAKE_CHANNEL, topic]);
  }

  /**
   * Postgres delivers notifications in the order of commits, so that one that comes back has followed all earlier ones.
   */
  async flush(): Promise<void> {
    await this.#connected;
    const client = this.#client;
    if (!client) return;
    const token = `${FLUSH_PREFIX}${process.pid}:${this.#flushed++}`;
    const received = new Promise<void>((resolve) => this.#flushes.set(token, resolve));
    // Without the connection nothing is left to wait for.
    await client.query("SELECT pg_notify($1, $2)", [WAKE_CHANNEL, token]).catch(() => this.#received(token));
    return received;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#markConnected();
    if (this.#client) cut(this.#client);
    await this.#listening;
  }

  async #keepListening(listener: Listener): Promise<void> {
    const { signal } = this.#stopping;
    for (let failures = 0; !signal.aborted; ) {
      try {
        await this.#listenOnce(listener);
        failures = 0;
      } catch {
        // What needs Postgres reports that it is away.
      }
      await pause(backoffMs(failures++, { maxMs: RECONNECT_MAX_MS }), signal);
    }
  }

  /** Resolves when the connection has ended. */
  async #listenOnce({ onWake, onConnect }: Listener): Promise<void> {
    const { connectionString } = this.#sql.options;
    const client = new Client({ ...CONNECTION, connectionString });
    const ended = new Promise<void>((resolve) => client.once("end", resolve));
    client.on("error", () => undefined);
    client.on("notification", ({ payload = "" }) => {
      if (payload.startsWith(FLUSH_PREFIX)) this.#received(payload);
      else onWake(payload);
    });
    try {
      await client.connect();
      await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}; LISTEN ${WAKE_CHANNEL}`);
      this.#client = client;
      if (this.#stopping.signal.aborted) return;
      this.#markConnected();
      onConnect();
      await ended;
    } finally {
      if (this.#client && !this.#stopping.signal.aborted) this.#awaitConnection();
      this.#client = undefined;
      // A new connection is followed by all rounds, which is more than what these wait for.
      for (const token of this.#flushes.keys()) this.#received(token);
      cut(client);
    }
  }

  #received(token: string): void {
    this.#flushes.get(token)?.();
    this.#flushes.delete(token);
  }

  #awaitConnection(): void {
    this.#connected = new Promise((resolve) => {
      this.#markConnected = resolve;
    });
  }
}
