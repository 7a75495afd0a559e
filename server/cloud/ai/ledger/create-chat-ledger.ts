import type { Pool } from "pg";
import type { Logger } from "pino";
import { isConnectionError, unavailableOnConnectionError } from "../../../engines/postgres/connection-error";
import type { Clock } from "../../../kernel/clock";
import { GroupCommit } from "../../../kernel/group-commit";
import { newId } from "../../../kernel/ids";
import { repeat } from "../../../kernel/repeat";
import { withTimeout } from "../../../kernel/with-timeout";
import { begunRow, progressRow } from "./begun-row";
import { Bills } from "./bills";
import { budgetExceeded } from "./budget-exceeded";
import type { ChatJournal, JournalEntry } from "./chat-journal";
import type { ChatEntry, ChatLedger, ChatOutcome, ChatStart, ChatUsage } from "./chat-ledger";
import { type Admission, type BegunRow, beginRequests, type FinishedRow, storeProgress } from "./chat-requests.sql";
import { finishedRow, type Running } from "./finished-row";
import type { Place, PlainPlaces } from "./plain-places";
import { Registration } from "./registration";
import { type AtChatStep, noChatStep } from "./steps";

const BEGINS_PER_STATEMENT_MAX = 200;
const BEGINS_WAITING_MAX = 10_000;
const PROGRESS_EVERY_MS = 1000;
const BEAT_EVERY_MS = 3000;
const STOP_WITHIN_MS = 10_000;

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
    finish: (entry, outcome) => ledger.finish(entry, outcome),
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
  readonly #bills: Bills;
  readonly #registration: Registration;
  /** Requests that have ended, and whose beginning is not stored yet. */
  readonly #ending = new Set<Promise<void>>();
  readonly #loops: { stop(): Promise<void> }[];

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
    this.#bills = new Bills(parts);
    this.#registration = new Registration({
      ...parts,
      processId,
      isBusy: () => this.#running.size > 0 || this.#ending.size > 0,
    });
    this.#loops = [
      repeat({ everyMs: PROGRESS_EVERY_MS, log, purpose: "store how far chat requests are" }, () =>
        this.#storeStreamed(),
      ),
      repeat({ everyMs: BEAT_EVERY_MS, log, purpose: "renew the lease of chat requests" }, () =>
        this.#registration.keep(),
      ),
    ];
  }

  async begin(start: ChatStart): Promise<ChatEntry> {
    const now = this.#parts.clock.now();
    const row = begunRow(start, now);
    this.#registration.use();
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
    const isRecorded = this.#recordBegun(running);
    running.beginning = store();
    this.#running.set(row.id, running);
    if (!isRecorded) await running.beginning;
    const settings = { storesBodies: false, cacheSeconds: 0, offers: undefined };
    return { id: row.id, storesBodies: false, settings };
  }

  async answering({ id }: ChatEntry, usage: ChatUsage): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    if (this.#record(id, { progress: progressRow(id, usage) })) {
      this.#atStep("chat.answer_recorded");
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
    this.#record(id, { progress: progressRow(id, usage) });
    this.#streamed.set(id, usage);
  }

  async finish({ id }: ChatEntry, outcome: ChatOutcome): Promise<void> {
    const running = this.#running.get(id);
    if (!running) return;
    this.#running.delete(id);
    this.#streamed.delete(id);
    const { encryptionKey, clock, journal, log } = this.#parts;
    const row = finishedRow(running, outcome, { processId: this.#processId, encryptionKey, at: clock.now() });
    const isRecorded = this.#record(id, { finished: { ...row, request_body: null, response_body: null } });
    if (isRecorded) this.#atStep("chat.outcome_recorded");
    const billed = this.#bill(running, row);
    this.#ending.add(billed);
    billed
      .then(() => journal?.forget(id))
      .catch((err: unknown) => log.warn({ err, id }, "a chat request is not billed yet"))
      .finally(() => this.#ending.delete(billed));
    if (!isRecorded) await billed;
  }

  /** Resolves when the bill is on Postgres' disk. */
  async #bill(running: Running, row: FinishedRow): Promise<void> {
    // Its row would be inserted twice otherwise.
    await running.beginning;
    await this.#bills.add({ ...row, budget_ids: running.budgetIds });
    this.#atStep("chat.flushed");
  }

  #recordBegun({ row, budgetIds }: Running): boolean {
    const { reserved_nanos: _nanos, reserved_tokens: _tokens, ...begun } = row;
    const isRecorded = this.#record(row.id, {
      begun: { ...begun, budget_ids: budgetIds, process_id: this.#processId },
    });
    if (isRecorded) this.#atStep("chat.begin_recorded");
    return isRecorded;
  }

  #record(id: string, entry: JournalEntry): boolean {
    return this.#parts.journal?.record(id, entry) ?? false;
  }

  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
    const drained = Promise.allSettled([this.#begins.drain(), this.#bills.drain(), ...this.#ending]);
    await withTimeout(STOP_WITHIN_MS, drained).catch((err: unknown) => {
      this.#parts.log.error(
        { err },
        "cannot store the last chat requests; another process will finish them as estimated",
      );
    });
    this.#bills.giveUp();
    this.#parts.journal?.close();
    await this.#registration.end({ isRunning: this.#running.size > 0 });
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
    const finished = finishedRow(running, outcome, { processId: this.#processId, encryptionKey, at: clock.now() });
    this.#bills.add({ ...finished, was_admitted: false }).catch(() => undefined);
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
}

function entryOf(admission: Admission): ChatEntry {
  const { id, stores_bodies, cache_seconds, offers_channel_id: channelId, offers_limit } = admission;
  const storesBodies = stores_bodies ?? false;
  const offers = channelId === null ? undefined : { channelId, limit: offers_limit ?? 1 };
  return { id, storesBodies, settings: { storesBodies, cacheSeconds: cache_seconds ?? 0, offers } };
}
