import type { Pool } from "pg";
import type { Logger } from "pino";
import { ServiceError } from "../../kernel/errors";
import { FairSemaphore, type Release } from "../../kernel/fair-semaphore";
import { TaskQueue } from "../../kernel/keyed-queue";
import { takePlace } from "../../kernel/take-place";
import type { Room } from "../disk-space/disk-space";
import { endSession } from "./end-session";
import { requireFitServer } from "./server-fitness";
import { checkDefinitions, kindOf, type Statement } from "./statement";
import { type StatementResult, TenantConnection, unavailable } from "./tenant-connection";
import {
  createTenantDatabase,
  type DatabaseLogin,
  dropTenantDatabase,
  markDatabase,
  markedDatabases,
  takeRights,
  urlOfDatabase,
} from "./tenant-databases";

/** Calls of this process, of all tenants: they share the server with svc. */
const AT_ONCE_MAX = 6;
/** A tenant has less than this of what is free: two calls, if it is alone. */
const TENANT_OF_FREE = 1 / 2;
/** Of one tenant. */
const WAITING_MAX = 200;
const WAIT_MS_MAX = 5000;
const IDLE_MAX = 3;
const IDLE_MS_MAX = 10_000;

/** What a tenant may store, of everything. Both throw `quota_exceeded`. */
export interface TenantLimit {
  assertRoom(tenantId: string): Promise<void>;
  /** Called before so many bytes more are committed. */
  take(tenantId: string, bytes: number): Promise<void>;
}

interface Idle {
  name: string;
  connection: TenantConnection;
  timer: NodeJS.Timeout;
}

export interface TenantSqlOptions {
  /** Of the server's disk, if that is watched. */
  space?: Room | undefined;
  /** Absent: none. */
  limit?: TenantLimit;
  log?: Pick<Logger, "warn"> | undefined;
  /** After what time the log says that a statement cannot be cancelled; default a minute. */
  stuckMs?: number | undefined;
  /** How long the statements of one call may take together; default 8 s. */
  callMsMax?: number | undefined;
}

/** SQL databases of tenants on svc's own PostgreSQL server, each with a role that reaches nothing else. */
export class TenantSql {
  readonly #server: Pool;
  readonly #options: TenantSqlOptions;
  readonly #places = new FairSemaphore(AT_ONCE_MAX, TENANT_OF_FREE);
  readonly #closing = new AbortController();
  /** Each takes a connection of svc's own pool. */
  readonly #changes = new TaskQueue();
  /** Databases in which this process has taken the rights that this version takes, and not only an earlier one. */
  readonly #limited = new Set<string>();
  #idle: Idle[] = [];

  /** `server` connects as the user that svc has. */
  constructor(server: Pool, options: TenantSqlOptions = {}) {
    this.#server = server;
    this.#options = options;
  }

  /** Throws `unavailable` (reason `no_sql_databases`) if this server cannot keep tenants apart. */
  requireFit(): Promise<void> {
    return requireFitServer(this.#server);
  }

  create(login: DatabaseLogin): Promise<void> {
    return this.#changes.run(() => createTenantDatabase(this.#server, login));
  }

  /** Deletes a database if `confirm` says so while no call creates it. Returns whether it did. */
  drop(name: string, confirm: () => Promise<boolean>): Promise<boolean> {
    this.#limited.delete(name);
    return this.#changes.run(() => dropTenantDatabase(this.#server, name, confirm));
  }

  /** The databases of this installation whose names begin with a prefix. */
  async list(prefix: string): Promise<string[]> {
    const { rows } = await this.#server.query<{ name: string }>(markedDatabases(prefix));
    return rows.map(({ name }) => name);
  }

  /** Marks one that an earlier version created as a database of this installation. */
  mark(name: string): Promise<void> {
    return this.#changes.run(() => markDatabase(this.#server, name));
  }

  /** Runs statements in one transaction; see `TenantConnection.run`. Throws `rate_limited` for too many at once. */
  async run(tenantId: string, login: DatabaseLogin, statements: readonly Statement[]): Promise<StatementResult[]> {
    checkDefinitions(statements);
    if (statements.some(({ sql }) => kindOf(sql) === "grow")) {
      this.#options.space?.assertRoom();
      await this.#options.limit?.assertRoom(tenantId);
    }
    const admit = async (bytes: number) => this.#options.limit?.take(tenantId, bytes);
    const wait = { waitingMax: WAITING_MAX, waitMs: WAIT_MS_MAX, refusal: tooMany };
    const release = await takePlace(this.#places, tenantId, wait);
    let connection: TenantConnection | undefined;
    try {
      connection = this.#take(login.name) ?? (await this.#open(login));
      return await connection.run(statements, admit);
    } finally {
      if (connection?.isBroken) void this.#releaseLater(login.name, connection, release);
      else {
        if (connection) this.#keep(login.name, connection);
        release();
      }
    }
  }

  close(): void {
    this.#closing.abort();
    for (const idle of this.#idle.splice(0)) end(idle);
  }

  async #open(login: DatabaseLogin): Promise<TenantConnection> {
    if (!this.#limited.has(login.name)) {
      await takeRights(this.#server, login.name).catch((failure: unknown) => {
        throw unavailable(failure);
      });
      this.#limited.add(login.name);
    }
    return TenantConnection.open(urlOfDatabase(this.#server, login.name, login), this.#options.callMsMax);
  }

  /** PostgreSQL cannot cancel every statement at once: until its session has ended, it counts as one that runs. */
  async #releaseLater(name: string, { processId }: TenantConnection, release: Release): Promise<void> {
    const { log, stuckMs } = this.#options;
    await endSession(this.#server, { name, processId }, { signal: this.#closing.signal, log, stuckMs });
    release();
  }

  #take(name: string): TenantConnection | undefined {
    const found = this.#idle.find((idle) => idle.name === name && !idle.connection.isBroken);
    if (!found) return undefined;
    this.#forget(found);
    return found.connection;
  }

  #keep(name: string, connection: TenantConnection): void {
    if (this.#closing.signal.aborted) connection.close();
    if (connection.isBroken) return;
    const idle: Idle = { name, connection, timer: setTimeout(() => this.#end(idle), IDLE_MS_MAX).unref() };
    this.#idle.push(idle);
    const [oldest] = this.#idle;
    if (this.#idle.length > IDLE_MAX && oldest) this.#end(oldest);
  }

  #end(idle: Idle): void {
    this.#forget(idle);
    end(idle);
  }

  #forget(idle: Idle): void {
    clearTimeout(idle.timer);
    this.#idle = this.#idle.filter((one) => one !== idle);
  }
}

function end({ timer, connection }: Idle): void {
  clearTimeout(timer);
  connection.close();
}

const tooMany = (): ServiceError =>
  new ServiceError(
    "rate_limited",
    "Too many calls of your SQL databases at once. Retry in 1 s; a statement that took too long counts until PostgreSQL has ended it.",
    { retryAfterSeconds: 1, details: { reason: "concurrency" } },
  );
