import { setImmediate as nextTurn } from "node:timers/promises";
import type { Lease, Message } from "./group";
import { QueueState } from "./queue-state";
import { fromRuns, type Runs, toRuns } from "./runs";

/** How many messages of leases are read before others have their turn. */
const MESSAGES_PER_TURN = 5000;

/** What is left of a lease: its slots, and what is in them, each as runs. */
type StoredLease = [id: number, tag: number, slots: Runs, positions: Runs, receives: Repeats, until: Repeats];
/** Numbers, each after the other: how often it is repeated. */
type Repeats = number[];
/** As snapshots had it before. */
type StoredSlot = [slot: number, position: number, receives: number, until: number];

/** What entries alone determine of a state, as stored. */
interface Snapshot {
  at: number;
  tail: number;
  low: number;
  touchedTo: number;
  live: number;
  nextLease: number;
  /** Deleted or moved positions from `low` on. */
  gone: Runs;
  leases: (StoredLease | [id: number, tag: number, slots: StoredSlot[]])[];
  /** Messages that were received and came back. */
  returned: [position: number, receives: number, visibleFrom: number][];
  delays: [visibleFrom: number, count: number][];
  removed?: true;
}

export function writeSnapshot(state: QueueState): string {
  const { at, tail, low, touchedTo, live, nextLease } = state;
  const snapshot: Snapshot = {
    at,
    tail,
    low,
    touchedTo,
    live,
    nextLease,
    gone: goneOf(state),
    leases: [...state.leases.values()].map(storedLease),
    returned: [...state.messages.values()]
      .filter(({ lease, receives }) => !lease && receives > 0)
      .map(({ position, receives, visibleFrom }) => [position, receives, visibleFrom]),
    delays: [...state.delays],
    ...(state.removed ? { removed: true } : {}),
  };
  return JSON.stringify(snapshot);
}

function storedLease({ id, tag, slots }: Lease): StoredLease {
  const messages = slots.filter((message) => message !== undefined);
  return [
    id,
    tag,
    toRuns(messages.map(({ slot }) => slot)),
    toRuns(messages.map(({ position }) => position)),
    repeatsOf(messages.map(({ receives }) => receives)),
    repeatsOf(messages.map(({ hold }) => hold?.until ?? 0)),
  ];
}

function repeatsOf(numbers: readonly number[]): Repeats {
  const repeats: Repeats = [];
  for (const number of numbers) {
    if (repeats.at(-2) === number) repeats.push((repeats.pop() ?? 0) + 1);
    else repeats.push(number, 1);
  }
  return repeats;
}

function* fromRepeats(repeats: Repeats): Generator<number> {
  for (let i = 0; i + 1 < repeats.length; i += 2) for (let n = repeats[i + 1] ?? 0; n > 0; n--) yield repeats[i] ?? 0;
}

function goneOf({ low, loadedTo, touchedTo, messages, gone }: QueueState): Runs {
  const runs: Runs = [];
  let next = low;
  const end = Math.min(loadedTo, touchedTo);
  const positions = Float64Array.from(messages.keys()).sort();
  for (const position of positions) {
    if (position >= end) break;
    if (position > next) runs.push(next, position - next);
    next = position + 1;
  }
  if (end > next) runs.push(next, end - next);
  return [...runs, ...gone.toRuns()];
}

export function readSnapshot(text: string): QueueState {
  const reading = readingSnapshot(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
  }
}

/** As `readSnapshot`; what else the process has to do comes in between. */
export async function readSnapshotInTurns(text: string): Promise<QueueState> {
  const reading = readingSnapshot(text);
  for (;;) {
    const { done, value } = reading.next();
    if (done) return value;
    await nextTurn();
  }
}

/** Yields after some milliseconds. */
function* readingSnapshot(text: string): Generator<undefined, QueueState, undefined> {
  const snapshot = JSON.parse(text) as Snapshot;
  const state = new QueueState();
  const { at, tail, low, touchedTo, live, nextLease, removed = false } = snapshot;
  Object.assign(state, { at, tail, low, touchedTo, live, nextLease, removed, loadedTo: low });
  for (let i = 0; i + 1 < snapshot.gone.length; i += 2) {
    const [first = 0, count = 0] = [snapshot.gone[i], snapshot.gone[i + 1]];
    state.gone.add(first, first + count);
  }
  for (const [visibleFrom, count] of snapshot.delays) state.delays.set(visibleFrom, count);
  let inTurn = 0;
  for (const each of snapshot.leases) {
    const before = state.inFlight;
    readLease(state, slotsOf(each));
    inTurn += state.inFlight - before;
    if (inTurn < MESSAGES_PER_TURN) continue;
    inTurn = 0;
    yield;
  }
  for (const [position, receives, visibleFrom] of snapshot.returned) {
    const message = state.messageAt(position);
    message.receives = receives;
    message.visibleFrom = visibleFrom;
  }
  state.trim();
  return state;
}

interface ReadLease {
  id: number;
  tag: number;
  slots: StoredSlot[];
}

function slotsOf([id, tag, slots, positions, receives = [], until = []]: Snapshot["leases"][number]): ReadLease {
  if (!positions) return { id, tag, slots: slots as StoredSlot[] };
  const [received, ends] = [fromRepeats(receives), fromRepeats(until)];
  const held = [...fromRuns(positions)];
  const next = (numbers: Iterator<number>): number => numbers.next().value;
  return {
    id,
    tag,
    slots: [...fromRuns(slots as Runs)].map((slot, i) => [slot, held[i] ?? 0, next(received), next(ends)]),
  };
}

function readLease(state: QueueState, { id, tag, slots }: ReadLease): void {
  const lease: Lease = { id, tag, slots: [], left: slots.length };
  state.leases.set(id, lease);
  const byEnd = new Map<number, Message[]>();
  for (const [slot, position, receives, until] of slots) {
    const message = state.messageAt(position);
    while (lease.slots.length < slot) lease.slots.push(undefined);
    lease.slots[slot] = message;
    message.receives = receives;
    message.lease = lease;
    message.slot = slot;
    const ending = byEnd.get(until);
    if (ending) ending.push(message);
    else byEnd.set(until, [message]);
  }
  state.inFlight += slots.length;
  for (const [until, messages] of byEnd) state.hold(messages, until);
}
