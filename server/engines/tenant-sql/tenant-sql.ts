import pLimit from "p-limit";
import type { Pool } from "pg";
import { Turns } from "../../kernel/turns";
import type { Room } from "../disk-space/disk-space";
import { requireFitServer } from "./server-fitness";
import { checkDefinitions, kindOf, type Statement } from "./statement";
import { type Admit, type StatementResult, TenantConnection } from "./tenant-connection";
import { createTenantDatabase, type DatabaseLogin, dropTenantDatabase, urlOfDatabase } from "./tenant-databases";

/** Of this process, of all tenants: they share the server with svc. */
const AT_ONCE_MAX = 5;
const AT_ONCE_PER_TENANT_MAX = 2;
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

/** SQL databases of tenants on svc's own PostgreSQL server, each with a role that reaches nothing else. */
export class TenantSql {
  readonly #server: Pool;
  readonly #space: Room | undefined;
  readonly #limit: TenantLimit | undefined;
  readonly #turns = turnsOf(AT_ONCE_MAX);
  readonly #turnsOfTenant = turnsOf(AT_ONCE_PER_TENANT_MAX);
  /** Each takes a connection of svc's own pool. */
  readonly #changing = pLimit(1);
  #idle: Idle[] = [];
  #isClosed = false;

  /** `server` connects as the user that svc has; `space` is that of its disk, if that is watched; no `limit`: none. */
  constructor(server: Pool, { space, limit }: { space?: Room | undefined; limit?: TenantLimit } = {}) {
    this.#server = server;
    this.#space = space;
    this.#limit = limit;
  }

  /** Throws `unavailable` (reason `no_sql_databases`) if this server cannot keep tenants apart. */
  requireFit(): Promise<void> {
    return requireFitServer(this.#server);
  }

  create(login: DatabaseLogin): Promise<void> {
    return this.#changing(() => createTenantDatabase(this.#server, login));
  }

  /** Deletes a database if `confirm` says so while no call creates it. Returns whether it did. */
  drop(name: string, confirm: () => Promise<boolean>): Promise<boolean> {
    return this.#changing(() => dropTenantDatabase(this.#server, name, confirm));
  }

  /** Runs statements in one transaction; see `TenantConnection.run`. Throws `rate_limited` for too many at once. */
  async run(tenantId: string, login: DatabaseLogin, statements: readonly Statement[]): Promise<StatementResult[]> {
    checkDefinitions(statements);
    if (statements.some(({ sql }) => kindOf(sql) === "grow")) {
      this.#space?.assertRoom();
      await this.#limit?.assertRoom(tenantId);
    }
    const admit = async (bytes: number) => this.#limit?.take(tenantId, bytes);
    return this.#turnsOfTenant.run(tenantId, () => this.#turns.run("", () => this.#run(login, statements, admit)));
  }

  close(): void {
    this.#isClosed = true;
    for (const idle of this.#idle.splice(0)) end(idle);
  }

  async #run(login: DatabaseLogin, statements: readonly Statement[], admit: Admit): Promise<StatementResult[]> {
    const connection =
      this.#take(login.name) ?? (await TenantConnection.open(urlOfDatabase(this.#server, login.name, login)));
    try {
      return await connection.run(statements, admit);
    } finally {
      this.#keep(login.name, connection);
    }
  }

  #take(name: string): TenantConnection | undefined {
    const found = this.#idle.find((idle) => idle.name === name && !idle.connection.isBroken);
    if (!found) return undefined;
    this.#forget(found);
    return found.connection;
  }

  #keep(name: string, connection: TenantConnection): void {
    if (this.#isClosed) connection.close();
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

const turnsOf = (running: number): Turns =>
  new Turns({ running, waiting: WAITING_MAX, waitMs: WAIT_MS_MAX }, "calls of SQL databases");
