import { Client, Pool, type PoolClient, type PoolConfig } from "pg";
import { cut } from "./cut-connection";

/** Deadlines are counted in timer ticks: a process that was itself stalled counts few of them. */
const TURN_MS = 250;
/** A server that responds to nothing, not even `SELECT 1`, for this many ticks (3 s) is frozen. */
const SILENT_TURNS_MAX = 12;
/** After that the probe is repeated on a new connection, in case the route to the server has changed. */
const PROBE_TURNS_MAX = 20;

type OnConnect = (
  failure: Error | undefined,
  client: PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

interface Probe {
  client: Client;
  turns: number;
}

/**
 * A pool that detects within about 3 s that its server is frozen, as opposed to busy with a long statement: while
 * connections are in use, it sends `SELECT 1` on a separate connection. Without a response, all running queries fail as
 * on a broken connection, and new ones fail at once until the server responds again.
 */
export class WatchedPool extends Pool {
  readonly #config: PoolConfig;
  readonly #clients = new Set<PoolClient>();
  /** Runs only while connections are in use or the server is frozen, so that an idle process is not woken. */
  #timer: NodeJS.Timeout | undefined;
  #hasEnded = false;
  #idleProbe: Client | undefined;
  #probe: Probe | undefined;
  #isFrozen = false;

  constructor(config: PoolConfig) {
    super(config);
    this.#config = config;
    this.on("connect", (client) => this.#clients.add(client));
    this.on("release", (failure) => this.#released(failure));
    this.on("remove", (client) => this.#clients.delete(client));
  }

  override connect(): Promise<PoolClient>;
  override connect(callback: OnConnect): void;
  override connect(callback?: OnConnect): Promise<PoolClient> | undefined {
    if (this.#isFrozen) {
      const failure = new Error("Connection terminated: the database does not respond.");
      if (!callback) return Promise.reject(failure);
      callback(failure, undefined, () => undefined);
      return undefined;
    }
    this.#watch();
    if (!callback) return super.connect();
    super.connect(callback);
    return undefined;
  }

  override end(): Promise<void>;
  override end(callback: () => void): void;
  override end(callback?: () => void): Promise<void> | undefined {
    this.#hasEnded = true;
    clearInterval(this.#timer);
    for (const client of [this.#idleProbe, this.#probe?.client]) if (client) cut(client);
    [this.#idleProbe, this.#probe] = [undefined, undefined];
    if (!callback) return super.end();
    super.end(callback);
    return undefined;
  }

  #watch(): void {
    if (!this.#hasEnded) this.#timer ??= setInterval(() => this.#turn(), TURN_MS).unref();
  }

  #turn(): void {
    const probe = this.#probe;
    if (!probe) {
      if (this.#isFrozen || this.totalCount > this.idleCount) this.#ask();
      else if (this.waitingCount === 0) this.#rest();
      return;
    }
    probe.turns++;
    if (probe.turns >= SILENT_TURNS_MAX && !this.#isFrozen) this.#freeze();
    if (probe.turns < PROBE_TURNS_MAX) return;
    cut(probe.client);
    this.#ask();
  }

  #rest(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #ask(): void {
    const known = this.#idleProbe;
    const client = known ?? new Client(this.#config);
    const probe = { client, turns: 0 };
    this.#idleProbe = undefined;
    this.#probe = probe;
    if (!known) client.on("error", () => undefined);
    const asked = (known ? Promise.resolve() : client.connect()).then(() => client.query("SELECT 1"));
    asked.then(
      () => this.#answered(probe, client),
      // A rejected connection is a response too: queries fail by themselves with the reason.
      () => this.#answered(probe, undefined),
    );
  }

  #answered(probe: Probe, client: Client | undefined): void {
    // The end of a probe that was given up means nothing.
    if (this.#probe !== probe) return;
    this.#probe = undefined;
    this.#idleProbe = client;
    this.#isFrozen = false;
    if (!client) cut(probe.client);
  }

  /** A connection that is returned intact has had its response: on a busy machine that may come before the probe's. */
  #released(failure: unknown): void {
    if (!failure && this.#probe && !this.#isFrozen) this.#probe.turns = 0;
  }

  #freeze(): void {
    this.#isFrozen = true;
    for (const client of this.#clients) cut(client);
  }
}
