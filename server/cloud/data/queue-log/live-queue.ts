import type { Pool } from "pg";
import type { Logger } from "pino";
import { unavailableOnConnectionError } from "../../../engines/postgres/connection-error";
import type { Clock } from "../../../kernel/clock";
import { notFound } from "../../../kernel/errors";
import { TaskQueue } from "../../../kernel/keyed-queue";
import type { RecordsByPosition } from "./chunks.sql";
import { type Decision, decideTurn } from "./decide-turn";
import { decideUpkeep } from "./decide-upkeep";
import { inTurns } from "./in-turns";
import { packMessages } from "./pack-messages";
import { PendingCalls } from "./pending-calls";
import { type PlannedSend, planSends, resolveSends } from "./plan-sends";
import { receiptCommandsOf, receiveCommandsOf, resolveReceipts, type TurnCalls } from "./queue-calls";
import type { QueueRef } from "./queue-engine";
import { type Change, QueueReplica } from "./queue-replica";
import { receivedMessages } from "./received-messages";
import { Saves } from "./saves";

/** Of the bodies of one receive, and of all receives of a turn. */
const RECEIVE_BYTES_MAX = 4 * 1024 * 1024;
const TURN_RECEIVE_BYTES_MAX = 8 * 1024 * 1024;
/** A turn that another process was ahead of so often waits in line instead. */
const LOST_MAX = 2;
const NONE: RecordsByPosition = new Map();

export interface LiveQueueParts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "warn">;
  inFlightMax: number;
  /** Tells other processes that there may be something to receive. */
  announce(queueId: string): void;
  /** Moves messages that were received too often; false if there is no queue to move them to. */
  moveDead(queue: LiveQueue, ref: QueueRef): Promise<boolean>;
}

/** A queue in this process: its state, the calls that wait for it, and one turn after the other. */
export class LiveQueue {
  readonly replica: QueueReplica;
  readonly pending = new PendingCalls();
  readonly saves: Saves;
  readonly #parts: LiveQueueParts;
  /** As the last receive named it. */
  #ref: QueueRef | undefined;
  /** The dead-letter queue that was found to be deleted. */
  #lostDlq: string | undefined;
  #hasDead = false;
  readonly #work = new TaskQueue();
  #users = 0;
  #running: Promise<void> | undefined;
  #wakeUp: NodeJS.Timeout | undefined;

  constructor(
    readonly id: string,
    parts: LiveQueueParts,
  ) {
    this.#parts = parts;
    this.replica = new QueueReplica(id, parts);
    this.saves = new Saves(this.replica, parts.sql);
  }

  get isIdle(): boolean {
    return this.#users === 0 && !this.#running && this.pending.isEmpty;
  }

  /** Runs `work` when nothing else uses the replica. */
  exclusive<T>(work: () => Promise<T>): Promise<T> {
    this.#users++;
    return this.#work.run(async () => {
      try {
        return await work();
      } catch (failure) {
        this.replica.forget();
        throw unavailableOnConnectionError(failure);
      } finally {
        this.#users--;
      }
    });
  }

  /** Lets waiting receives be looked at. */
  wake(): void {
    if (this.pending.receives === 0) return;
    this.pending.mayReceive = true;
    this.run();
  }

  /** Starts turns unless they are running. */
  run(): void {
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.pending.hasWork) this.run();
      else this.#scheduleWakeUp();
    });
  }

  /** Resolves when no turn is running. */
  async drained(): Promise<void> {
    while (this.#running) await this.#running;
    await this.#work.whenIdle();
    clearTimeout(this.#wakeUp);
  }

  /**
   * Makes the state that of the time that is returned: what time alone changes is appended. Undefined if another process
   * was first. To be called by exclusive work.
   */
  async keepUp(ref: QueueRef): Promise<number | undefined> {
    const at = this.replica.now();
    const entry = decideUpkeep(this.replica.state, at, ref.retentionMs);
    if (!entry) return at;
    if ((await this.replica.append({ entry })) === undefined) return undefined;
    this.#parts.announce(this.id);
    return at;
  }

  /** Lets waiting receives of all processes be looked at. */
  wakeAll(): void {
    this.#parts.announce(this.id);
    this.wake();
  }

  /** How many messages are in memory. */
  get messages(): number {
    return this.replica.isOpen ? this.replica.state.messages.size : 0;
  }

  /** Saves a snapshot of a queue that is used little. */
  async saveIfDue(): Promise<void> {
    if (this.saves.isQuietlyDue) await this.exclusive(async () => this.replica.isOpen && this.saves.save());
  }

  /** Waiting receives end with nothing. */
  endReceives(): void {
    for (const call of this.pending.takeReceives()) {
      call.isLate = true;
      if (!call.isInTurn) call.resolve([]);
    }
  }

  async #run(): Promise<void> {
    // Calls of the same turn of the event loop join one turn of the queue.
    await new Promise((resolve) => setImmediate(resolve));
    while (this.pending.hasWork) {
      await this.#turn();
      if (this.saves.isDue) void this.saves.save().catch((err) => this.#failedToSave(err));
      if (this.#hasDead) await this.#moveDead();
    }
  }

  async #turn(): Promise<void> {
    const calls = this.pending.take();
    for (const call of calls.receives) {
      call.isInTurn = true;
      this.#ref = call.queue;
    }
    try {
      await this.exclusive(() => this.#attempt(calls));
    } catch (cause) {
      for (const call of calls.receives) this.pending.endReceive(call);
      for (const { reject } of [...calls.sends, ...calls.receipts, ...calls.receives]) reject(cause);
    }
  }

  async #attempt(calls: TurnCalls): Promise<void> {
    const { replica } = this;
    await replica.open();
    for (let lost = 0; ; lost++) {
      const decided = lost < LOST_MAX ? await this.#tryOnce(calls) : await this.#tryInTurn(calls);
      if (decided) {
        this.#resolveCalls(calls, decided);
        return;
      }
      await replica.catchUp();
    }
  }

  /** Undefined if other processes were first. */
  async #tryOnce(calls: TurnCalls): Promise<Decided | undefined> {
    const { replica } = this;
    const planned = await this.#plan(calls);
    if (!planned) return undefined;
    if (!planned.change) return (await replica.catchUp()) ? undefined : { ...planned, records: NONE };
    const records = await replica.append(planned.change);
    return records && { ...planned, records };
  }

  async #tryInTurn(calls: TurnCalls): Promise<Decided | undefined> {
    return inTurns(this.#parts.sql, [this.replica], async () => {
      const planned = await this.#plan(calls);
      if (!planned) return undefined;
      const records = planned.change ? await this.replica.append(planned.change) : NONE;
      return records && { ...planned, records };
    });
  }

  async #plan(calls: TurnCalls): Promise<Planned | undefined> {
    const { replica } = this;
    if (replica.state.removed) throw notFound("queue", this.id);
    // Until all rows that it must know are read, a receive waits; sends and receipts need none of them.
    const receives = calls.receives.length > 0 && (await replica.widenSome()) ? calls.receives : [];
    const at = receives.length > 0 && this.#ref ? await this.keepUp(this.#ref) : replica.now();
    if (at === undefined) return undefined;
    const send = await planSends(replica.sql, { queueId: this.id, calls: calls.sends, at });
    const decision = decideTurn(
      replica.state,
      {
        sends: send.drafts,
        receipts: receiptCommandsOf(calls.receipts),
        receives: receiveCommandsOf(receives),
        undone: calls.undone,
      },
      {
        at,
        inFlightMax: this.#parts.inFlightMax,
        receivesMax: this.#receivesMax(),
        receiveBytesMax: RECEIVE_BYTES_MAX,
        turnBytesMax: TURN_RECEIVE_BYTES_MAX,
      },
    );
    const { entry } = decision;
    if (!entry) return { decision, send, change: undefined };
    const packed = packMessages(send.rows, { tail: replica.state.tail, at });
    const wanted = decision.receives.flatMap((taken) => taken?.messages ?? []);
    return { decision, send, change: { entry, packed, rows: send.rows, wanted } };
  }

  #resolveCalls(calls: TurnCalls, { decision, send, change, records }: Decided): void {
    resolveReceipts(calls.receipts, decision.receipts);
    resolveSends(calls.sends, send);
    for (const [i, call] of calls.receives.entries()) {
      const taken = decision.receives[i];
      call.isInTurn = false;
      // More rows, or the move of messages that were received too often, may bring something for it yet.
      if (!taken && (!call.isLate || this.replica.needsRows || decision.hasDead)) continue;
      this.pending.endReceive(call);
      if (taken && call.isAborted) this.pending.undo(taken.lease);
      else call.resolve(taken ? receivedMessages(this.id, taken, { records, state: this.replica.state }) : []);
    }
    this.#hasDead = decision.hasDead;
    const { entry } = change ?? {};
    if (entry && (entry.sent || entry.returned || entry.acknowledged || entry.undone)) this.#parts.announce(this.id);
    const { state } = this.replica;
    if (this.pending.receives > 0 && (state.groups.hasReady(this.replica.now()) || this.replica.needsRows)) {
      // A receive that found nothing because of the limits of the turn or of the queue waits for the next change.
      if (entry || this.replica.needsRows) this.pending.mayReceive = true;
    }
  }

  #failedToSave(err: unknown): void {
    this.#parts.log.warn({ err, queue: this.id }, "cannot save a snapshot of a queue; the next turn tries again");
  }

  #receivesMax(): number | undefined {
    const { dlq, maxReceives } = this.#ref ?? {};
    return dlq && dlq.id !== this.#lostDlq && dlq.id !== this.id ? maxReceives : undefined;
  }

  async #moveDead(): Promise<void> {
    this.#hasDead = false;
    const ref = this.#ref;
    if (!ref) return;
    try {
      if (!(await this.#parts.moveDead(this, ref))) this.#lostDlq = ref.dlq?.id;
      this.wake();
    } catch (err) {
      this.#parts.log.warn({ err, queue: this.id }, "cannot move messages to the dead-letter queue");
      for (const { reject } of this.pending.takeReceives()) reject(err);
    }
  }

  /** Waiting receives are looked at again when the next lease or delay ends. */
  #scheduleWakeUp(): void {
    clearTimeout(this.#wakeUp);
    if (this.pending.receives === 0 || !this.replica.isOpen) return;
    const next = this.replica.state.nextChange();
    if (next === Number.POSITIVE_INFINITY) return;
    const ms = Math.max(1, Math.min(next - this.replica.now(), 60_000));
    this.#wakeUp = setTimeout(() => this.wake(), ms).unref();
  }

  /** A lease or a delay has ended, or another process has appended entries up to `seq`. */
  isDue(lastSeq: number | undefined): boolean {
    if (!this.replica.isOpen || (lastSeq !== undefined && lastSeq !== this.replica.seq)) return true;
    return this.replica.state.nextChange() <= this.replica.now();
  }
}

interface Planned {
  decision: Decision;
  send: PlannedSend;
  change: Change | undefined;
}

interface Decided extends Planned {
  records: RecordsByPosition;
}
