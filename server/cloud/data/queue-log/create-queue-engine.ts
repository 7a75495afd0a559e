import { Buffer } from "node:buffer";
import type { Pool } from "pg";
import type { Logger } from "pino";
import type { Counters } from "../../../engines/counters/counters";
import type { Room } from "../../../engines/disk-space/disk-space";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { repeat } from "../../../kernel/repeat";
import type { ReceiptCommand } from "./decide-turn";
import type { LiveQueue } from "./live-queue";
import { LiveQueues } from "./live-queues";
import { figuresOf, peekMessages } from "./look-at-queue";
import { moveDead, redriveMessages } from "./move-messages";
import type { Draft, ReceiveCall } from "./queue-calls";
import type { NewMessage, QueueEngine, QueueRef, ReceiptOutcome, ReceiveAsk, ReceivedMessage } from "./queue-engine";
import { readLastSeqs } from "./queue-log.sql";
import { readReceipts } from "./receipt";
import { storeBody } from "./stored-body";
import { Sweeper } from "./sweep-queues";
import { WakeUps } from "./wake-ups";
import { lookAt, purgeQueue, removeQueue } from "./whole-queue";

const POLL_MS = 1000;
const SWEEP_MS = 5000;
/** The limit of messages in flight per queue. */
const IN_FLIGHT_MAX = 1_000_000;

export interface QueueEngineParts {
  sql: Pool;
  clock: Clock;
  counters: Pick<Counters, "publish" | "subscribe">;
  log: Pick<Logger, "info" | "warn">;
  /** Default: 1,000,000. */
  inFlightMax?: number;
  /** Of the disk of the database; absent: it is not watched. */
  space?: Room | undefined;
}

/** The engine of queues of this process; see `QueueEngine`. Any number of processes may use the same database. */
export function createQueueEngine({
  sql,
  clock,
  counters,
  log,
  inFlightMax = IN_FLIGHT_MAX,
  space,
}: QueueEngineParts): QueueEngine {
  const wakeUps = new WakeUps(counters, (id) => queues.get(id)?.wake());
  const announce = (id: string) => wakeUps.announce(id);
  const queues: LiveQueues = new LiveQueues({
    sql,
    clock,
    log,
    inFlightMax,
    announce,
    moveDead: async (from, ref) => !ref.dlq || moveDead(sql, { from, to: queues.of(ref.dlq.id) }, ref),
  });
  const poll = repeat({ everyMs: POLL_MS, log, purpose: "poll queues" }, async () => {
    const waiting = queues.all().filter(({ pending }) => pending.receives > 0);
    if (waiting.length === 0) return;
    const seqs = await readLastSeqs(
      sql,
      waiting.map(({ id }) => id),
    );
    for (const queue of waiting) if (queue.isDue(seqs.get(queue.id))) queue.wake();
  });
  const sweeper = new Sweeper(sql);
  const sweeping = repeat({ everyMs: SWEEP_MS, log, purpose: "sweep queues" }, async (signal) => {
    for (const id of queues.evict()) await wakeUps.unwatch(id);
    return sweeper.sweep(queues.all(), signal);
  });
  const calls = queueCalls(queues, { wakeUps, space });
  return {
    ...calls,
    peek: (ref, messagesMax) => lookAt(queues.of(ref.id), ref, (queue) => peekMessages(queue, messagesMax)),
    figures: (ref) => lookAt(queues.of(ref.id), ref, figuresOf),
    purge: (ref) => purgeQueue(queues.of(ref.id)),
    async redrive(from, to, messagesMax) {
      const moved = await redriveMessages(sql, { from: queues.of(from.id), to: queues.of(to.id) }, messagesMax);
      return { moved };
    },
    async remove(queueId) {
      await removeQueue(sql, queues.of(queueId));
      sweeper.removed();
    },
    async stop() {
      calls.stop();
      await Promise.all([poll.stop(), sweeping.stop()]);
      await queues.stop();
      await wakeUps.stop();
    },
  };
}

type Calls = Pick<QueueEngine, "send" | "receive" | "acknowledge" | "extend" | "giveBack"> & { stop(): void };

/** The calls that join turns. */
function queueCalls(queues: LiveQueues, { wakeUps, space }: { wakeUps: WakeUps; space: Room | undefined }): Calls {
  let isStopping = false;
  const add = <R>(
    { id }: QueueRef,
    put: (queue: LiveQueue, call: { resolve: (result: R) => void; reject: (cause: unknown) => void }) => void,
  ): Promise<R> =>
    new Promise((resolve, reject) => {
      if (isStopping) throw shuttingDown();
      const queue = queues.of(id);
      put(queue, { resolve, reject });
      queue.run();
    });
  const changeLeases = (
    queue: QueueRef,
    { kind, receipts, msOf }: Pick<ReceiptCommand, "kind"> & { receipts: readonly string[]; msOf(i: number): number },
  ): Promise<ReceiptOutcome[]> => {
    const commands = readReceipts(queue.id, receipts).map((parts, i) =>
      parts ? { kind, lease: parts.lease, tag: parts.tag, slot: parts.slot, ms: msOf(i) } : ("unknown" as const),
    );
    return add(queue, (live, call) => live.pending.receipts({ ...call, commands }));
  };
  return {
    async send(queue, messages) {
      if (messages.length === 0) return [];
      space?.assertRoom();
      const drafts = messages.map(draftOf);
      const bytes = drafts.reduce((sum, draft) => sum + draft.bytes, 0);
      return add(queue, (live, call) => live.pending.send({ ...call, drafts, bytes }));
    },
    receive: (queue, ask) =>
      add(queue, (live, call) => receive(live, { ...call, ask, queue }, () => wakeUps.watch(queue.id))),
    acknowledge: (queue, receipts) => changeLeases(queue, { kind: "acknowledge", receipts, msOf: () => 0 }),
    extend: (queue, items) =>
      changeLeases(queue, {
        kind: "extend",
        receipts: items.map(({ receipt }) => receipt),
        msOf: (i) => items[i]?.visibilityTimeoutMs ?? 0,
      }),
    giveBack: (queue, items) =>
      changeLeases(queue, {
        kind: "return",
        receipts: items.map(({ receipt }) => receipt),
        msOf: (i) => items[i]?.delayMs ?? 0,
      }),
    stop() {
      isStopping = true;
      for (const queue of queues.all()) queue.endReceives();
    },
  };
}

interface ReceiveParts {
  ask: ReceiveAsk;
  queue: QueueRef;
  resolve: (messages: ReceivedMessage[]) => void;
  reject: (cause: unknown) => void;
}

/** A receive waits with the queue's others until it gets messages, its time is over, or it is aborted. */
function receive(live: LiveQueue, { ask, queue, resolve, reject }: ReceiveParts, watch: () => void): void {
  const { signal } = ask;
  if (signal?.aborted) {
    resolve([]);
    return;
  }
  let timer: NodeJS.Timeout | undefined;
  const finish = () => {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  };
  const call: ReceiveCall = {
    ask,
    queue,
    isLate: ask.waitMs <= 0,
    isAborted: false,
    isInTurn: false,
    resolve: (messages) => [finish(), resolve(messages)],
    reject: (cause) => [finish(), reject(cause)],
  };
  const end = () => {
    if (!call.isInTurn && live.pending.endReceive(call)) call.resolve([]);
  };
  const abort = () => {
    [call.isLate, call.isAborted] = [true, true];
    end();
    resolve([]);
  };
  if (ask.waitMs > 0) {
    watch();
    timer = setTimeout(() => {
      call.isLate = true;
      end();
    }, ask.waitMs);
  }
  signal?.addEventListener("abort", abort);
  live.pending.receive(call);
}

function draftOf({ body, isText, groupId, delayMs = 0, deduplicationId }: NewMessage): Draft {
  const stored = storeBody({ body, isText });
  const bytes = Buffer.byteLength(stored.body);
  return { body: stored.body, form: stored.form, groupId, delayMs, deduplicationId, bytes };
}

const shuttingDown = (): ServiceError =>
  new ServiceError("unavailable", "svc is shutting down; retry shortly.", {
    retryAfterSeconds: 1,
    details: { reason: "shutting_down" },
  });
