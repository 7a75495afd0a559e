import type { Lease, Message } from "./group";
import { QueueState } from "./queue-state";
import type { Runs } from "./runs";

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
  leases: [id: number, tag: number, slots: [slot: number, position: number, receives: number, until: number][]][];
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
    leases: [...state.leases.values()].map(({ id, tag, slots }) => [
      id,
      tag,
      slots.flatMap((m, slot) => (m ? [[slot, m.position, m.receives, m.hold?.until ?? 0] as const] : [])),
    ]) as Snapshot["leases"],
    returned: [...state.messages.values()]
      .filter(({ lease, receives }) => !lease && receives > 0)
      .map(({ position, receives, visibleFrom }) => [position, receives, visibleFrom]),
    delays: [...state.delays],
    ...(state.removed ? { removed: true } : {}),
  };
  return JSON.stringify(snapshot);
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
  const snapshot = JSON.parse(text) as Snapshot;
  const state = new QueueState();
  const { at, tail, low, touchedTo, live, nextLease, removed = false } = snapshot;
  Object.assign(state, { at, tail, low, touchedTo, live, nextLease, removed, loadedTo: low });
  for (let i = 0; i + 1 < snapshot.gone.length; i += 2) {
    const [first = 0, count = 0] = [snapshot.gone[i], snapshot.gone[i + 1]];
    state.gone.add(first, first + count);
  }
  for (const [visibleFrom, count] of snapshot.delays) state.delays.set(visibleFrom, count);
  for (const each of snapshot.leases) readLease(state, each);
  for (const [position, receives, visibleFrom] of snapshot.returned) {
    Object.assign(state.messageAt(position), { receives, visibleFrom });
  }
  state.trim();
  return state;
}

function readLease(state: QueueState, [id, tag, slots]: Snapshot["leases"][number]): void {
  const lease: Lease = { id, tag, slots: [], left: slots.length };
  state.leases.set(id, lease);
  const byEnd = new Map<number, Message[]>();
  for (const [slot, position, receives, until] of slots) {
    const message = state.messageAt(position);
    while (lease.slots.length < slot) lease.slots.push(undefined);
    lease.slots[slot] = message;
    Object.assign(message, { receives, lease, slot });
    byEnd.set(until, [...(byEnd.get(until) ?? []), message]);
  }
  state.inFlight += slots.length;
  for (const [until, messages] of byEnd) state.hold(messages, until);
}
