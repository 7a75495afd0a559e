import type { Pool } from "pg";
import type { Logger } from "pino";
import { isConnectionError } from "../../../engines/postgres/connection-error";
import { backoffMs } from "../../../kernel/backoff";
import { GroupCommit } from "../../../kernel/group-commit";
import { pause } from "../../../kernel/pause";
import { type FinishedRow, finishRequests, flushCommits } from "./chat-requests.sql";
import { type AtChatStep, noChatStep } from "./steps";

const ROWS_PER_STATEMENT_MAX = 200;
const ROW_CHARACTERS = 1000;
/** In characters: outcomes wait while Postgres is away, with bodies where the project stores them. */
const WAITING_MAX = 64 * 1024 * 1024;
const RETRY_MS_MAX = 2000;

export interface BillsParts {
  sql: Pool;
  log: Pick<Logger, "warn" | "error">;
  /** Called when spending was stored. */
  onSpent?: (() => void) | undefined;
  atStep?: AtChatStep | undefined;
}

/** Stores the outcomes of requests with their neighbours, again and again while Postgres is away. */
export class Bills {
  readonly #parts: BillsParts;
  readonly #atStep: AtChatStep;
  readonly #stopping = new AbortController();
  readonly #rows: GroupCommit<FinishedRow, undefined>;

  constructor(parts: BillsParts) {
    this.#parts = parts;
    this.#atStep = parts.atStep ?? noChatStep;
    this.#rows = new GroupCommit((rows) => this.#store(rows), {
      itemsMax: ROWS_PER_STATEMENT_MAX * ROW_CHARACTERS,
      waitingMax: WAITING_MAX,
      flushesMax: 1,
      weightOf: ({ request_body, response_body }) =>
        ROW_CHARACTERS + (request_body?.length ?? 0) + (response_body?.length ?? 0),
    });
  }

  /** Resolves when the row is on Postgres' disk, or when Postgres rejects it, which is logged. */
  async add(row: FinishedRow): Promise<void> {
    await this.#rows.add(row);
  }

  drain(): Promise<void> {
    return this.#rows.drain();
  }

  /** Rows that wait for Postgres are rejected. */
  giveUp(): void {
    this.#stopping.abort();
  }

  async #store(rows: readonly FinishedRow[]): Promise<undefined[]> {
    const { sql, log } = this.#parts;
    for (let tries = 0; ; tries++) {
      try {
        await finishRequests(sql, rows);
        this.#atStep("chat.finished");
        const ids = rows.map(({ id }) => id);
        // Fewer: Postgres has crashed and restarted in between.
        if ((await flushCommits(sql, ids)) < rows.length && (await finishRequests(sql, rows)).length > 0)
          await flushCommits(sql, ids);
        this.#parts.onSpent?.();
        return rows.map(() => undefined);
      } catch (err) {
        if (!isConnectionError(err) && rows.length > 1) return this.#storeEach(rows);
        if (!isConnectionError(err)) {
          log.error({ err, id: rows[0]?.id }, "a chat request cannot be finished");
          return [undefined];
        }
        if (this.#stopping.signal.aborted) throw err;
        if (tries === 0) log.warn({ err }, "cannot finish chat requests, retrying");
        await pause(50 + backoffMs(tries, { maxMs: RETRY_MS_MAX }), this.#stopping.signal);
      }
    }
  }

  /** One row that Postgres rejects must not keep the others from being billed. */
  async #storeEach(rows: readonly FinishedRow[]): Promise<undefined[]> {
    for (const row of rows) await this.#store([row]);
    return rows.map(() => undefined);
  }
}
