import type { Entry } from "./entry";
import type { Group, Message } from "./group";
import type { ReceiptOutcome } from "./queue-engine";
import type { QueueState } from "./queue-state";
import { toRuns } from "./runs";

export interface ReceiptCommand {
  kind: "acknowledge" | "extend" | "return";
  lease: number;
  tag: number;
  slot: number;
  /** How long the lease or the delay lasts from now on; 0 for an acknowledgement. */
  ms: number;
}

export interface ReceiveCommand {
  messagesMax: number;
  visibilityTimeoutMs: number;
  /** The tag of the lease. */
  tag: number;
}

/** What waits to be done in one turn, in the order of the calls. */
export interface Commands {
  /** The delays of new messages. */
  sends: readonly { delayMs: number }[];
  receipts: readonly ReceiptCommand[];
  receives: readonly ReceiveCommand[];
  /** Leases whose receiver has gone away meanwhile. */
  undone: readonly number[];
}

export interface Taken {
  lease: number;
  messages: Message[];
}

export interface Decision {
  /** Undefined if nothing changes. */
  entry: Entry | undefined;
  receipts: ReceiptOutcome[];
  /** One for each receive; undefined if there was nothing for it. */
  receives: (Taken | undefined)[];
  /** A message that is to move to the dead-letter queue is the next one of its group. */
  hasDead: boolean;
}

export interface TurnLimits {
  at: number;
  inFlightMax: number;
  /** Messages that were received so often are not received again; undefined without a dead-letter queue. */
  receivesMax: number | undefined;
  /** Of the bodies that one receive gets, and all receives of the turn; a single message may exceed both. */
  receiveBytesMax: number;
  turnBytesMax: number;
}

/**
 * What a turn does, without doing it: the entry to be appended to the log and the results of its commands. Receives get
 * what was there before the turn. Leases that have ended by `at` must have been put back before.
 */
export function decideTurn(state: QueueState, commands: Commands, limits: TurnLimits): Decision {
  const { at } = limits;
  const { sends, undone } = commands;
  const changes: Omit<Entry, "at"> = {};
  if (undone.length > 0) changes.undone = [...undone];
  const receipts = decideReceipts(state, commands.receipts, { at, changes });
  const { taken: receives, hasDead } = decideReceives(state, commands.receives, limits);
  const leased = receives.flatMap((taken, i) => {
    const command = commands.receives[i];
    if (!taken || !command) return [];
    const positions = toRuns(taken.messages.map(({ position }) => position));
    return [[at + command.visibilityTimeoutMs, command.tag, positions] as [number, number, number[]]];
  });
  if (leased.length > 0) changes.leased = leased;
  if (sends.length > 0) changes.sent = sends.length;
  const delays = new Map<number, number>();
  for (const { delayMs } of sends) if (delayMs > 0) delays.set(at + delayMs, (delays.get(at + delayMs) ?? 0) + 1);
  if (delays.size > 0) changes.delays = [...delays];
  const entry = Object.keys(changes).length > 0 ? { at, ...changes } : undefined;
  return { entry, receipts, receives, hasDead };
}

interface Receipts {
  at: number;
  changes: Omit<Entry, "at">;
}

/** Each message can be acknowledged or returned once, by the receipt of the lease that it is in. */
function decideReceipts(
  state: QueueState,
  commands: readonly ReceiptCommand[],
  { at, changes }: Receipts,
): ReceiptOutcome[] {
  const ended = new Set<Message>();
  const [extended, acknowledged, returned] = [new SlotsOf(), new SlotsOf(), new SlotsOf()];
  const outcomes = commands.map(({ kind, lease: id, tag, slot, ms }): ReceiptOutcome => {
    const lease = state.leases.get(id);
    if (id >= state.nextLease || id < 1) return "unknown";
    const message = lease?.tag === tag ? lease.slots[slot] : undefined;
    if (!message?.hold || message.hold.until <= at || ended.has(message)) return "expired";
    if (kind === "extend") extended.add(id, slot, at + ms);
    else {
      ended.add(message);
      if (kind === "acknowledge") acknowledged.add(id, slot, 0);
      else returned.add(id, slot, ms === 0 ? 0 : at + ms);
    }
    return "ok";
  });
  if (extended.size > 0) changes.extended = extended.entries();
  if (acknowledged.size > 0) {
    changes.acknowledged = acknowledged
      .entries()
      .map(([id, slots]) => (countOf(slots) === state.leases.get(id)?.left ? [id] : [id, slots]));
  }
  if (returned.size > 0) changes.returned = returned.entries();
  return outcomes;
}

const countOf = (runs: readonly number[]): number => runs.reduce((sum, n, i) => (i % 2 === 1 ? sum + n : sum), 0);

/** Slots by lease and time. The last time of a slot counts. */
class SlotsOf {
  readonly #timeOf = new Map<number, Map<number, number>>();

  get size(): number {
    return this.#timeOf.size;
  }

  add(lease: number, slot: number, time: number): void {
    const slots = this.#timeOf.get(lease) ?? new Map<number, number>();
    this.#timeOf.set(lease, slots.set(slot, time));
  }

  entries(): [lease: number, slots: number[], time: number][] {
    return [...this.#timeOf].flatMap(([lease, slots]) => {
      const byTime = new Map<number, number[]>();
      for (const [slot, time] of [...slots].sort(([a], [b]) => a - b)) {
        const same = byTime.get(time);
        if (same) same.push(slot);
        else byTime.set(time, [slot]);
      }
      return [...byTime].map(([time, each]): [number, number[], number] => [lease, toRuns(each), time]);
    });
  }
}

function decideReceives(state: QueueState, commands: readonly ReceiveCommand[], limits: TurnLimits) {
  const visited: Group[] = [];
  let hasDead = false;
  let bytesLeft = limits.turnBytesMax;
  let placesLeft = limits.inFlightMax - state.inFlight;
  let [lease, isEmpty] = [state.nextLease, false];
  const taken = commands.map(({ messagesMax }): Taken | undefined => {
    const room = { count: Math.min(messagesMax, placesLeft), bytes: Math.min(limits.receiveBytesMax, bytesLeft) };
    const messages: Message[] = [];
    while (!isEmpty && room.count > 0 && (room.bytes > 0 || messages.length === 0) && bytesLeft > 0) {
      const group = state.groups.takeReady(limits.at);
      isEmpty = group === undefined;
      if (!group) break;
      visited.push(group);
      const took = takeFrom(group, limits, { room, isFirst: messages.length === 0 });
      if (took.length === 0 && isDead(group.first, limits)) hasDead = true;
      messages.push(...took);
    }
    if (messages.length === 0) return undefined;
    bytesLeft -= messages.reduce((sum, { bytes }) => sum + bytes, 0);
    placesLeft -= messages.length;
    // Groups were taken by their first messages, so that slots of several groups do not ascend.
    messages.sort((a, b) => a.position - b.position);
    return { lease: lease++, messages };
  });
  for (const group of visited) state.groups.place(group, limits.at);
  return { taken, hasDead };
}

export const isDead = (message: Message | undefined, { receivesMax }: Pick<TurnLimits, "receivesMax">): boolean =>
  message !== undefined && receivesMax !== undefined && message.receives >= receivesMax;

/** The first messages of a group that can be received and fit; uses up the room. */
function takeFrom(
  group: Group,
  limits: TurnLimits,
  { room, isFirst }: { room: { count: number; bytes: number }; isFirst: boolean },
): Message[] {
  const took: Message[] = [];
  for (let message = group.at(0); message && room.count > 0; message = group.at(took.length)) {
    if (message.visibleFrom > limits.at || isDead(message, limits)) break;
    if (message.bytes > room.bytes && (took.length > 0 || !isFirst)) {
      room.bytes = 0;
      break;
    }
    room.count--;
    room.bytes -= message.bytes;
    took.push(message);
  }
  return took;
}
