import type { Pool } from "pg";
import type { Logger } from "pino";
import { isConnectionError, unavailableOnConnectionError } from "../../../engines/postgres/connection-error";
import { backoffMs } from "../../../kernel/backoff";
import type { Clock } from "../../../kernel/clock";
import { GroupCommit } from "../../../kernel/group-commit";
import { newId } from "../../../kernel/ids";
import { pause } from "../../../kernel/pause";
import { repeat } from "../../../kernel/repeat";
import { withTimeout } from "../../../kernel/with-timeout";
import { budgetExceeded } from "./budget-exceeded";
import type { ChatJournal, JournalEntry } from "./chat-journal";
import type { ChatEntry, ChatLedger, ChatOutcome, ChatStart, ChatUsage } from "./chat-ledger";
import {
  type Admission,
  type BegunRow,
  beginRequests,
  flushCommits,
  forgetProcess,
  type ProgressRow,
  recordHeartbeat,
  type SettledRow,
  settleRequests,
  storeProgress,
} from "./chat-requests.sql";
import { picosOf, reservationOf, saneTokens } from "./cost";
import type { Place, PlainPlaces } from "./plain-places";
import { type Running, settledRow } from "./settled-row";
import { type AtChatStep, noChatStep } from "./steps";

export const CHAT_REQUEST_ID_PREFIX = "chr";
const BEGINS_PER_STATEMENT_MAX = 200;
const SETTLES_PER_STATEMENT_MAX = 200;
const BEGINS_WAITING_MAX = 10_000;
/** In characters: outcomes wait while Postgres is away, with bodies where the project stores them. */
const SETTLES_WAITING_MAX = 64 * 1024 * 1024;
const ROW_CHARACTERS = 1000;
const PROGRESS_EVERY_MS = 1000;
const BEAT_EVERY_MS = 3000;
/** So long after its last request began, a process without requests ends its registration. */
const REGISTERED_FOR_MS = 15_000;
const RETRY_MS_MAX = 2000;
const STOP_WITHIN_MS = 10_000;
const MODEL_CHARACTERS_MAX = 200;

export interface ChatLedgerParts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn" | "error">;
  encryptionKey: Buffer;
  /** Whose requests begin without a wait; without it, those of nobody. */
  plainPlaces?: PlainPlaces | undefined;
  /** Without it every call waits for Postgres. */
  journal?: ChatJournal | undefined;
  /** Names this process in pending rows; one is made by default. */
  processId?: string | undefined;
  /** How long after its last request a process stays registered; default: 15 s. */
  registeredForMs?: number;
  /** Called when spending was stored. */
  onSpent?: (() => void) | undefined;
  atStep?: AtChatStep | undefined;
}

export const newChatProcessId = (clock: Clock): string => newId("chp", clock.now().getTime());

/** The ledger of this process. */
export function createChatLedger(parts: ChatLedgerParts): ChatLedger {
  const ledger = new PostgresLedger(parts);
  return {
    begin: (start) => ledger.begin(start),
    answering: (entry, usage) => ledger.answering(entry, usage),
    progress: (entry, usage) => ledger.progress(entry, usage),
    settle: (entry, outcome) => ledger.settle(entry, outcome),
    stop: () => ledger.stop(),
  };
}

class PostgresLedger implements ChatLedger {
  readonly #processId: string;
  readonly #parts: ChatLedgerParts;
  readonly #atStep: AtChatStep;
  readonly #running = new Map<string, Running>();
  /** The latest usage of each stream since it was last stored. */
  readonly #streamed = new Map<string, ChatUsage>();
  readonly #begins: GroupCommit<BegunRow, Admission>;
  readonly #settles: GroupCommit<SettledRow, undefined>;
  /** Requests that have ended, and whose beginning is not stored yet. */
  readonly #ending = new Set<Promise<void>>();
  /** When a request last began, in `performance.now()`. */
  #begunMs = Number.NEGATIVE_INFINITY;
  #isRegistered = false;
  #beating: Promise<void> | undefined;
  #leaving: Promise<void> = Promise.resolve();
  readonly #loops: { stop(): Promise<void> }[];
  readonly #stopping = new AbortController();

  constructor(parts: ChatLedgerParts) {
    const { sql, clock, log, processId = newChatProcessId(clock), atStep = noChatStep } = parts;
    this.#parts = parts;
    this.#processId = processId;
    this.#atStep = atStep;
    this.#begins = new GroupCommit((rows) => beginRequests(sql, processId, rows), {
      itemsMax: BEGINS_PER_STATEMENT_MAX,
      waitingMax: BEGINS_WAITING_MAX,
      flushesMax: 2,
    });
    this.#settles = new GroupCommit((rows) => this.#store(rows), {
      itemsMax: SETTLES_PER_STATEMENT_MAX * ROW_CHARACTERS,
      waitingMax: SETTLES_WAITING_MAX,
      flushesMax: 1,
      weightOf: ({ request_body, response_body }) =>
        ROW_CHARACTERS + (request_body?.length ?? 0) + (response_body?.length ?? 0),
    });
    this.#loops = [
      repeat({ everyMs: PROGRESS_EVERY_MS, log, purpose: "store how far chat requests are" }, () =>
        this.#storeStreamed(),
      ),
      repeat({ everyMs: BEAT_EVERY_MS, log, purpose: "renew the lease of chat requests" }, () => this.#keepLease()),
    ];
  }

  async begin(start: ChatStart): Promise<ChatEntry> {
    const now = this.#parts.clock.now();
    const row = begunRow(start, now);
    this.#begunMs = performance.now();
    // The loop repeats it, if it fails.
    if (!this.#isRegistered) this.#recordHeartbeat().catch(() => undefined);
    const place = this.#parts.plainPlaces?.look(start);
    if (place?.isPlain) return this.#beginAhead(row, place);
    const admission = await this.#begins.add(row).catch((failure: unknown) => {
      this.#parts.plainPlaces?.clear();
      this.#undo(row, failure);
      throw unavailableOnConnectionError(failure);
    });
    place?.learn(admission);
    if (admission.refused_by !== null) throw await budgetExceeded(this.#parts.sql, admission.refused_by, now);
    const entry = entryOf(admission);
    const running = { row, budgetIds: admission.budget_ids, storesBodies: entry.storesBodies };
    this.#running.set(row.id, running);
    this.#atStep("chat.begun");
    this.#recordBegun(running);
    return entry;
  }

  /**
   * Stores the beginning while the request runs. It reserves nothing, so that no budget refuses it: one that was created
   * this instant counts it. The entry is billed even if its beginning cannot be stored.
   */
  async #beginAhead(row: BegunRow, place: Place): Promise<ChatEntry> {
    const unreserved = { ...row, reserved_nanos: "0", reserved_tokens: 0 };
    const running: Running = { row: unreserved, budgetIds: [], storesBodies: false };
    const store = async () => {
      try {
        const admission = await this.#begins.add(unreserved);
        running.budgetIds = admission.budget_ids;
        place.learn(admission);
        this.#atStep("chat.begun");
      } catch (err) {
        this.#parts.plainPlaces?.clear();
        this.#parts.log.warn({ err, id: row.id }, "cannot store that a chat request began");
      }
      running.beginning = undefined;
    };
    const isNoted = this.#recordBegun(running);
    running.beginning = store();
    this.#running.set(row.id, running);
    if (!isNoted) await running.beginning;
    const settings = { storesBodies: false, cacheSeconds: 0, offers: undefined };
    return { id: row.id, storesBodies: false, settings };
  }

  async answering({ id }: ChatEntry, usage: ChatUsage): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    if (this.#note(id, { progress: progressRow(id, usage) })) {
      this.#atStep("chat.answer_noted");
      this.#streamed.set(id, usage);
      return;
    }
    await running.beginning;
    await storeProgress(this.#parts.sql, [progressRow(id, usage)]).catch((failure: unknown) => {
      throw unavailableOnConnectionError(failure);
    });
  }

  progress({ id }: ChatEntry, usage: ChatUsage): void {
    if (!this.#running.has(id)) return;
    this.#note(id, { progress: progressRow(id, usage) });
    this.#streamed.set(id, usage);
  }

  async settle({ id }: ChatEntry, outcome: ChatOutcome): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    this.#streamed.delete(id);
    const { encryptionKey, clock, journal, log } = this.#parts;
    const row = settledRow(running, outcome, { processId: this.#processId, encryptionKey, at: clock.now() });
    const isNoted = this.#note(id, { settled: { ...row, request_body: null, response_body: null } });
    if (isNoted) this.#atStep("chat.outcome_noted");
    const billed = this.#bill(running, row);
    this.#ending.add(billed);
    billed
      .then(() => journal?.forget(id))
      .catch((err: unknown) => log.warn({ err, id }, "a chat request is not billed yet"))
      .finally(() => this.#ending.delete(billed));
    if (!isNoted) await billed;
  }

  /** Resolves when the bill is on Postgres' disk. */
  async #bill(running: Running, row: SettledRow): Promise<void> {
    // Its row would be inserted twice otherwise.
    await running.beginning;
    await this.#settles.add({ ...row, budget_ids: running.budgetIds });
    this.#atStep("chat.flushed");
  }

  #recordBegun({ row, budgetIds }: Running): boolean {
    const { reserved_nanos: _nanos, reserved_tokens: _tokens, ...begun } = row;
    const isNoted = this.#note(row.id, { begun: { ...begun, budget_ids: budgetIds, process_id: this.#processId } });
    if (isNoted) this.#atStep("chat.begin_noted");
    return isNoted;
  }

  #note(id: string, entry: JournalEntry): boolean {
    return this.#parts.journal?.note(id, entry) ?? false;
  }

  async #keepLease(): Promise<void> {
    const { plainPlaces, sql, registeredForMs = REGISTERED_FOR_MS } = this.#parts;
    const isIdle = performance.now() > this.#begunMs + registeredForMs;
    if (!isIdle || this.#running.size > 0 || this.#ending.size > 0) return this.#recordHeartbeat();
    if (!this.#isRegistered) return;
    plainPlaces?.unregistered();
    this.#isRegistered = false;
    this.#leaving = forgetProcess(sql, this.#processId);
    await this.#leaving;
  }

  #recordHeartbeat(): Promise<void> {
    const sentMs = performance.now();
    this.#beating ??= this.#leaving
      .catch(() => undefined)
      .then(() => recordHeartbeat(this.#parts.sql, this.#processId))
      .then(() => {
        this.#isRegistered = true;
        this.#parts.plainPlaces?.registered(sentMs);
      })
      .finally(() => {
        this.#beating = undefined;
      });
    return this.#beating;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    const drained = Promise.allSettled([this.#begins.drain(), this.#settles.drain(), ...this.#ending]);
    await withTimeout(STOP_WITHIN_MS, drained).catch((err: unknown) => {
      this.#parts.log.error(
        { err },
        "cannot store the last chat requests; another process will settle them as estimated",
      );
    });
    this.#stopping.abort();
    this.#parts.journal?.close();
    await this.#beating?.catch(() => undefined);
    if (this.#running.size === 0) await forgetProcess(this.#parts.sql, this.#processId).catch(() => undefined);
  }

  /** A statement whose connection broke may have been committed: then the request did not run, and costs nothing. */
  #undo(row: BegunRow, failure: unknown): void {
    if (!isConnectionError(failure)) return;
    const outcome: ChatOutcome = {
      status: "failed",
      httpStatus: 503,
      errorCode: "unavailable",
      upstream: undefined,
      tries: 0,
      usage: undefined,
      isCached: false,
      isSimulated: false,
      firstByteMs: undefined,
      totalMs: 0,
    };
    const { clock, encryptionKey } = this.#parts;
    const running = { row, budgetIds: [], storesBodies: false };
    const settled = settledRow(running, outcome, { processId: this.#processId, encryptionKey, at: clock.now() });
    this.#settles.add({ ...settled, was_admitted: false }).catch(() => undefined);
  }

  async #storeStreamed(): Promise<void> {
    const taken = [...this.#streamed].filter(([id]) => !this.#running.get(id)?.beginning);
    for (const [id] of taken) this.#streamed.delete(id);
    const rows = taken.map(([id, usage]) => progressRow(id, usage));
    try {
      if (rows.length > 0) await storeProgress(this.#parts.sql, rows);
    } catch (failure) {
      for (const [id, usage] of taken)
        if (this.#running.has(id) && !this.#streamed.has(id)) this.#streamed.set(id, usage);
      throw failure;
    }
  }

  async #store(rows: readonly SettledRow[]): Promise<undefined[]> {
    const { sql, log } = this.#parts;
    for (let tries = 0; ; tries++) {
      try {
        await settleRequests(sql, rows);
        this.#atStep("chat.settled");
        const ids = rows.map(({ id }) => id);
        // Fewer: Postgres has crashed and restarted in between.
        if ((await flushCommits(sql, ids)) < rows.length && (await settleRequests(sql, rows)).length > 0)
          await flushCommits(sql, ids);
        this.#parts.onSpent?.();
        return rows.map(() => undefined);
      } catch (err) {
        if (!isConnectionError(err) && rows.length > 1) return this.#storeEach(rows);
        if (!isConnectionError(err)) {
          log.error({ err, id: rows[0]?.id }, "a chat request cannot be settled");
          return [undefined];
        }
        if (this.#stopping.signal.aborted) throw err;
        if (tries === 0) log.warn({ err }, "cannot settle chat requests, retrying");
        await pause(50 + backoffMs(tries, { maxMs: RETRY_MS_MAX }), this.#stopping.signal);
      }
    }
  }

  /** One row that Postgres rejects must not keep the others from being billed. */
  async #storeEach(rows: readonly SettledRow[]): Promise<undefined[]> {
    for (const row of rows) await this.#store([row]);
    return rows.map(() => undefined);
  }
}

function progressRow(id: string, usage: ChatUsage): ProgressRow {
  const { promptTokens: prompt_tokens, completionTokens: completion_tokens } = saneTokens(usage);
  return { id, prompt_tokens, completion_tokens };
}

function begunRow(start: ChatStart, now: Date): BegunRow {
  const price = picosOf(start.price);
  const reserved = reservationOf(start, price);
  return {
    id: newId(CHAT_REQUEST_ID_PREFIX, now.getTime()),
    request_id: start.requestId,
    tenant_id: start.tenantId,
    project_id: start.projectId,
    mode: start.mode,
    key_id: start.keyId ?? null,
    endpoint: start.endpoint,
    model: textOf(start.model),
    is_stream: start.isStream,
    prompt_tokens: saneTokens({ promptTokens: start.promptTokens, completionTokens: 0 }).promptTokens,
    input_picos: String(price.inputPicos),
    output_picos: String(price.outputPicos),
    reserved_nanos: String(reserved.nanos),
    reserved_tokens: reserved.tokens,
    created_at: now,
  };
}

/** Without NUL, which Postgres does not store. */
const textOf = (text: string): string => text.replaceAll("\0", "").slice(0, MODEL_CHARACTERS_MAX);

function entryOf(admission: Admission): ChatEntry {
  const { id, stores_bodies, cache_seconds, offers_channel_id: channelId, offers_limit } = admission;
  const storesBodies = stores_bodies ?? false;
  const offers = channelId === null ? undefined : { channelId, limit: offers_limit ?? 1 };
  return { id, storesBodies, settings: { storesBodies, cacheSeconds: cache_seconds ?? 0, offers } };
}
