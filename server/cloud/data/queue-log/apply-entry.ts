import type { Entry } from "./entry";
import type { Lease, Message } from "./group";
import type { QueueState } from "./queue-state";
import { fromRuns, type Runs } from "./runs";

/** Changes the state as the next entry of the log says. Depends on nothing else, so all processes get the same state. */
export function applyEntry(state: QueueState, entry: Entry): void {
  state.at = entry.at;
  for (const message of state.takeEnded(entry.at)) putBack(state, message);
  if (entry.floor !== undefined) state.dropBelow(entry.floor);
  for (const lease of entry.undone ?? []) undo(state, lease);
  for (const [lease, slots, until] of entry.extended ?? []) state.hold(inSlots(state, lease, slots), until);
  for (const [lease, slots] of entry.acknowledged ?? []) {
    for (const message of inSlots(state, lease, slots)) {
      state.release(message);
      state.drop(message);
    }
  }
  for (const [lease, slots, visibleFrom] of entry.returned ?? []) {
    for (const message of inSlots(state, lease, slots)) putBack(state, message, visibleFrom);
  }
  for (const position of fromRuns(entry.moved ?? [])) move(state, position);
  for (const [until, tag, positions] of entry.leased ?? []) lease(state, { until, tag, positions });
  append(state, entry);
  if (entry.removed) state.removed = true;
}

/** The messages of a lease that are still in flight, in all its slots or in some. */
function inSlots(state: QueueState, id: number, slots: Runs | undefined): Message[] {
  const lease = state.leases.get(id);
  if (!lease) throw new Error(`Lease ${id} of the queue does not exist.`);
  const messages = slots ? [...fromRuns(slots)].map((slot) => lease.slots[slot]) : lease.slots;
  return messages.filter((message) => message !== undefined);
}

/** A delay of its send that is still to come counts on: the message was never received then. */
function putBack(state: QueueState, message: Message, visibleFrom = 0): void {
  const { group } = message;
  state.release(message);
  message.visibleFrom = visibleFrom;
  group?.putBack(message);
  if (group) state.groups.place(group, state.at);
}

function undo(state: QueueState, id: number): void {
  if (!state.leases.has(id)) return;
  for (const message of inSlots(state, id, undefined)) {
    message.receives--;
    putBack(state, message);
  }
}

function move(state: QueueState, position: number): void {
  const message = state.messageAt(position);
  state.touchedTo = Math.max(state.touchedTo, position + 1);
  message.group?.removeFirst(message);
  state.drop(message);
}

function lease(state: QueueState, { until, tag, positions }: { until: number; tag: number; positions: Runs }): void {
  const lease: Lease = { id: state.nextLease++, tag, slots: [], left: 0 };
  const messages: Message[] = [];
  for (const position of fromRuns(positions)) {
    const message = state.messageAt(position);
    message.group?.removeFirst(message);
    if (message.group) message.group.inFlight++;
    message.receives++;
    message.lease = lease;
    message.slot = lease.slots.length;
    lease.slots.push(message);
    messages.push(message);
    state.touchedTo = Math.max(state.touchedTo, position + 1);
  }
  lease.left = messages.length;
  state.inFlight += messages.length;
  state.leases.set(lease.id, lease);
  state.hold(messages, until);
}

function append(state: QueueState, { sent = 0, delays = [], at }: Entry): void {
  state.tail += sent;
  state.live += sent;
  for (const [visibleFrom] of state.delays) if (visibleFrom <= at) state.delays.delete(visibleFrom);
  for (const [visibleFrom, count] of delays) {
    state.delays.set(visibleFrom, (state.delays.get(visibleFrom) ?? 0) + count);
  }
}
