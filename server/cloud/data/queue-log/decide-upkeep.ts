import type { Entry } from "./entry";
import type { Group, Message } from "./group";
import type { QueueState } from "./queue-state";

/**
 * What time alone changes: leases end, and messages older than the retention are deleted, in flight or not. Undefined if
 * nothing does. Retention is as exact as the window of loaded messages is wide.
 */
export function decideUpkeep(state: QueueState, at: number, retentionMs: number): Entry | undefined {
  const floor = retentionFloor(state, at - retentionMs);
  const end = state.nextEnd();
  if (floor !== undefined) return { at, floor };
  return end !== undefined && end <= at ? { at } : undefined;
}

/** Positions ascend with time, so the messages to be deleted are the lowest. */
function retentionFloor(state: QueueState, before: number): number | undefined {
  let floor = state.low;
  while (floor < state.loadedTo) {
    const message = state.messages.get(floor);
    if (message && message.storedAt > before) break;
    floor++;
  }
  return floor > state.low ? floor : undefined;
}

/**
 * The next messages, at most `messagesMax`, that were received too often to be received again: the first ones of the
 * groups that could be received from, in the order of their positions.
 */
export function findDead(
  state: QueueState,
  at: number,
  { receivesMax, messagesMax }: { receivesMax: number; messagesMax: number },
): Message[] {
  const dead: Message[] = [];
  const visited: Group[] = [];
  for (let group = state.groups.takeReady(at); group; group = state.groups.takeReady(at)) {
    visited.push(group);
    for (let n = 0; dead.length < messagesMax; n++) {
      const message = group.at(n);
      if (!message || message.receives < receivesMax || message.visibleFrom > at) break;
      dead.push(message);
    }
    if (dead.length >= messagesMax) break;
  }
  for (const group of visited) state.groups.place(group, at);
  return dead.sort((a, b) => a.position - b.position);
}

/** The next messages, at most `messagesMax`, of groups that have nothing in flight, in the order of their positions. */
export function findMovable(state: QueueState, messagesMax: number): Message[] {
  const movable: Message[] = [];
  for (let position = state.low; position < state.loadedTo && movable.length < messagesMax; position++) {
    const message = state.messages.get(position);
    if (message && !message.lease && message.group?.inFlight === 0) movable.push(message);
  }
  return movable;
}
