import type { Socket } from "node:net";
import { Client, DatabaseError } from "pg";
import { ServiceError } from "../../kernel/errors";
import { assertDatabaseHasRoom, assertNotOverQuota, SIZE_QUERY, type Size } from "./database-size";
import { kindOf, type Statement } from "./statement";

const CONNECT_MS_MAX = 3000;
/** Of the statements of one call together; each has the limit of its role. */
const CALL_MS_MAX = 8000;
const REPLY_BYTES_MAX = 4 * 1024 * 1024;
const ROWS_MAX = 50_000;
const MESSAGE_CHARACTERS_MAX = 1000;
const CHANGING = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

export interface StatementResult {
  columns: { name: string; type: number }[];
  /** As PostgreSQL writes values as text. */
  rows: (string | null)[][];
  /** Rows that were inserted, updated or deleted. */
  changes: number;
}

/** Called before statements are committed that made a database larger by so many bytes; what it throws rolls them back. */
export type Admit = (bytes: number) => Promise<void>;

/** A connection that runs what a tenant wrote, as a role that can do nothing outside its own database. */
export class TenantConnection {
  readonly #client: Client;
  readonly #callMsMax: number;
  #bytes = 0;
  #cut: ServiceError | undefined;
  #isBroken = false;

  private constructor(client: Client, callMsMax: number) {
    this.#client = client;
    this.#callMsMax = callMsMax;
    client.on("error", () => this.close());
    client.on("end", () => this.close());
  }

  /** Throws `unavailable`. */
  static async open(url: string, callMsMax = CALL_MS_MAX): Promise<TenantConnection> {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: CONNECT_MS_MAX,
      application_name: "svc tenant",
    });
    const connection = new TenantConnection(client, callMsMax);
    try {
      await client.connect();
    } catch (failure) {
      connection.close();
      throw unavailable(failure);
    }
    socketOf(client).on("data", (part) => connection.#receive(part));
    return connection;
  }

  get isBroken(): boolean {
    return this.#isBroken;
  }

  /** Of the server's process of this session. */
  get processId(): number {
    return (this.#client as unknown as { processID: number }).processID;
  }

  close(): void {
    if (this.#isBroken) return;
    this.#isBroken = true;
    socketOf(this.#client).destroy();
  }

  /**
   * Runs statements in one transaction. Throws `unprocessable` with PostgreSQL's message, `payload_too_large` for a reply
   * of more than 4 MiB or 50,000 rows, `quota_exceeded` for a full database, `unavailable`, and what `admit` throws.
   */
  async run(statements: readonly Statement[], admit: Admit): Promise<StatementResult[]> {
    const kinds = new Set(statements.map(({ sql }) => kindOf(sql)));
    const isOnly = (kind: "read" | "shrink") => kinds.size === 1 && kinds.has(kind);
    [this.#bytes, this.#cut] = [0, undefined];
    const late = setTimeout(() => this.#end(tooSlow(this.#callMsMax)), this.#callMsMax);
    try {
      return await this.#transaction(statements, {
        isRead: isOnly("read"),
        admit: isOnly("read") || isOnly("shrink") ? undefined : admit,
      });
    } catch (failure) {
      throw this.#reasonOf(failure);
    } finally {
      clearTimeout(late);
    }
  }

  async #transaction(
    statements: readonly Statement[],
    { isRead, admit }: { isRead: boolean; admit: Admit | undefined },
  ): Promise<StatementResult[]> {
    await this.#client.query(isRead ? "BEGIN READ ONLY" : "BEGIN");
    try {
      const before = admit && (await this.#size());
      if (before) assertDatabaseHasRoom(before);
      const results: StatementResult[] = [];
      for (const statement of statements) results.push(await this.#query(statement));
      if (before) await this.#admitGrown(before, admit);
      await this.#client.query("COMMIT");
      return results;
    } catch (failure) {
      if (!this.#isBroken) await this.#client.query("ROLLBACK").catch(() => this.close());
      throw failure;
    }
  }

  async #admitGrown(before: Size, admit: Admit): Promise<void> {
    const after = await this.#size();
    assertNotOverQuota(before, after);
    if (after.bytes > before.bytes) await admit(after.bytes - before.bytes);
  }

  async #query({ sql: text, params }: Statement): Promise<StatementResult> {
    const types = { getTypeParser: () => (value: unknown) => value };
    // Without values node-postgres would use the simple protocol, which runs several statements of one text.
    const query = { text, values: [...params], rowMode: "array" as const, queryMode: "extended", types };
    const { fields, rows, rowCount, command } = await this.#client.query<(string | null)[]>(query);
    if (rows.length > ROWS_MAX) throw tooLarge();
    const columns = fields.map(({ name, dataTypeID: type }) => ({ name, type }));
    return { columns, rows, changes: CHANGING.has(command) ? (rowCount ?? 0) : 0 };
  }

  async #size(): Promise<Size> {
    const { rows } = await this.#client.query<Size>(SIZE_QUERY);
    const [{ relations, bytes } = { relations: 0, bytes: 0 }] = rows;
    return { relations: Number(relations), bytes: Number(bytes) };
  }

  /** node-postgres keeps a whole reply in memory, so that one that is too large can only be broken off. */
  #receive(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > REPLY_BYTES_MAX) this.#end(tooLarge());
  }

  #end(reason: ServiceError): void {
    this.#cut ??= reason;
    this.close();
  }

  #reasonOf(failure: unknown): ServiceError {
    if (this.#cut) return this.#cut;
    if (failure instanceof ServiceError) return failure;
    if (!(failure instanceof DatabaseError) || failure.severity === "FATAL") return unavailable(failure);
    const message = failure.message.slice(0, MESSAGE_CHARACTERS_MAX);
    return new ServiceError("unprocessable", `${message} (SQLSTATE ${failure.code})`, {
      details: { reason: "sql_error" },
    });
  }
}

const socketOf = (client: Client): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** The error for a database that cannot be reached. */
export const unavailable = (cause: unknown): ServiceError =>
  new ServiceError("unavailable", "The SQL database cannot be reached now; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "sql_database_away" },
    cause,
  });

const tooSlow = (callMsMax: number): ServiceError =>
  new ServiceError("unprocessable", `The statements took more than ${callMsMax / 1000} seconds together.`, {
    details: { reason: "sql_error" },
  });

const tooLarge = (): ServiceError =>
  new ServiceError("payload_too_large", "A reply has at most 4 MiB and 50,000 rows; use LIMIT.");
