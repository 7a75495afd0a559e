import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Statement } from "../../../engines/tenant-sql/statement";
import type { StatementResult } from "../../../engines/tenant-sql/tenant-connection";
import { markedDatabases } from "../../../engines/tenant-sql/tenant-databases";
import type { TenantSql } from "../../../engines/tenant-sql/tenant-sql";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { newId } from "../../../kernel/ids";
import { seal, unseal } from "../../../kernel/secrets";
import type { Owner } from "../../../operation/actor";
import { POSTGRESQL, quarantineUnknown } from "../../core/quarantine/quarantine-unknown";
import type { TenantRoom } from "../../core/stored-bytes/stored-bytes";
import {
  addDatabase,
  databaseByName,
  markUnbound,
  recorded,
  recordedOnServer,
  retireUnbound,
  type StoredDatabase,
  unboundSince,
} from "./edge-databases.sql";

const PASSWORD_BYTES = 24;
/** About what PostgreSQL stores for a database without tables; the next measurement finds the exact size. */
const EMPTY_BYTES = 8 * 1024 ** 2;
/** How long a database is kept that no version of a function binds. */
const UNBOUND_MS_MAX = 7 * 24 * 3_600_000;
/** In one run of the task. */
const REMOVALS_MAX = 20;

export interface EdgeDatabasesParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  /** Seals the passwords of the databases' roles. */
  encryptionKey: Buffer;
  tenantSql: Pick<TenantSql, "requireFit" | "create" | "drop" | "run" | "list" | "mark">;
  storedBytes: TenantRoom;
  log: Pick<Logger, "error" | "warn">;
}

/** The SQL databases that edge functions bind by name: one PostgreSQL database for each project, mode and name. */
export class EdgeDatabases {
  readonly #parts: EdgeDatabasesParts;

  constructor(parts: EdgeDatabasesParts) {
    this.#parts = parts;
  }

  /** Creates a database unless there is one. Throws `quota_exceeded`, and `unavailable` (reason `no_sql_databases`). */
  async ensure(owner: Owner, name: string): Promise<void> {
    const { db, sql, tenantSql, storedBytes } = this.#parts;
    const known = await databaseByName(sql, owner, name);
    if (known?.isReady) return;
    await tenantSql.requireFit();
    await storedBytes.take(owner.tenantId, "databases", EMPTY_BYTES);
    const database = known ?? (await this.#add(owner, name));
    await tenantSql.create(this.#loginOf(database));
    const { count } = await db.edgeSqlDatabase.updateMany({ where: { id: database.id }, data: { isReady: true } });
    if (count === 0) throw noSuchDatabase(name);
  }

  /** Runs statements in one transaction. Throws `not_found`, and what `TenantSql.run` throws. */
  async run(owner: Owner, name: string, statements: readonly Statement[]): Promise<StatementResult[]> {
    const database = await databaseByName(this.#parts.sql, owner, name);
    if (!database?.isReady) throw noSuchDatabase(name);
    return this.#parts.tenantSql.run(owner.tenantId, this.#loginOf(database), statements);
  }

  /**
   * Deletes the databases that no version of a function has bound for 7 days. Throws the first failure after the last one:
   * PostgreSQL deletes no database while one of its statements cannot be cancelled, and those of others do not wait for it.
   */
  async removeUnbound(): Promise<void> {
    const { sql, db, clock, tenantSql } = this.#parts;
    const now = clock.now();
    await markUnbound(sql, now);
    const before = new Date(now.getTime() - UNBOUND_MS_MAX);
    const failures: unknown[] = [];
    for (const id of await unboundSince(sql, { before, max: REMOVALS_MAX })) {
      try {
        const isGone = await tenantSql.drop(roleOf(id), () => retireUnbound(sql, { id, before }));
        if (isGone) await db.edgeSqlDatabase.deleteMany({ where: { id, isReady: false } });
      } catch (failure) {
        failures.push(failure);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Keeps databases without a record for a while, such as those made since the backup of a database that was restored. */
  async sweepUnknown(): Promise<void> {
    const { sql, clock, log, tenantSql } = this.#parts;
    // Listed before the records are read: one that is made meanwhile has had its record before.
    const found = (await tenantSql.list(PREFIX)).map((name) => name.slice(ROLE_PREFIX.length));
    const onServer = await recordedOnServer(sql);
    const marked = new Set(found);
    for (const id of onServer) if (!marked.has(id)) await tenantSql.mark(roleOf(id));
    const known = new Set(await recorded(sql, found));
    const remove = (id: string) => tenantSql.drop(roleOf(id), async () => (await recorded(sql, [id])).length === 0);
    const ids = found.filter((id) => !known.has(id));
    await quarantineUnknown({ sql, clock, log, nodeId: POSTGRESQL, remove }, { kind: "database", ids });
  }

  async #add(owner: Owner, name: string): Promise<StoredDatabase> {
    const { sql, clock, encryptionKey } = this.#parts;
    const createdAt = clock.now();
    const id = newId(ID_PREFIX, createdAt.getTime());
    const password = randomBytes(PASSWORD_BYTES).toString("base64url");
    await addDatabase(sql, {
      ...owner,
      id,
      name,
      sealedPassword: seal(encryptionKey, password, contextOf(id)),
      createdAt,
    });
    const stored = await databaseByName(sql, owner, name);
    if (!stored) throw noSuchDatabase(name);
    return stored;
  }

  #loginOf({ id, sealedPassword }: StoredDatabase) {
    const password = unseal(this.#parts.encryptionKey, sealedPassword, contextOf(id));
    if (password === undefined) throw new Error(`The password of the SQL database ${id} cannot be decrypted.`);
    return { name: roleOf(id), password };
  }
}

const ROLE_PREFIX = "svc_";
const ID_PREFIX = "esq";
const PREFIX = `${ROLE_PREFIX}${ID_PREFIX}_`;

/** Of the PostgreSQL database and its role: a try that is repeated makes no second one. */
const roleOf = (id: string): string => `${ROLE_PREFIX}${id}`;

/** A query for the databases of edge functions that this installation has on its server, also for those without a record. */
export const EDGE_DATABASES = markedDatabases(PREFIX);

const contextOf = (id: string): string => JSON.stringify(["password of an SQL database", id]);

const noSuchDatabase = (name: string): ServiceError =>
  new ServiceError(
    "not_found",
    `The SQL database ${name} does not exist; update the draft with its binding to create it.`,
  );
