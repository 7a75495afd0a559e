/** A message of the reference model. */
export interface ReferenceMessage {
  position: number;
  group: string | undefined;
  visibleFrom: number;
  storedAt: number;
  receives: number;
  /** In flight until then, by this receipt. */
  until: number | undefined;
  receipt: string;
}

/**
 * The simplest queue with the semantics of SQS FIFO: a list that every call walks through. The engine's state machine
 * must behave like it.
 */
export class ReferenceQueue {
  messages: ReferenceMessage[] = [];
  tail = 0;

  get inFlight(): number {
    return this.messages.filter(({ until }) => until !== undefined).length;
  }

  send(group: string | undefined, { at, delayMs }: { at: number; delayMs: number }): void {
    this.messages.push({
      position: this.tail++,
      group,
      visibleFrom: delayMs > 0 ? at + delayMs : 0,
      storedAt: at,
      receives: 0,
      until: undefined,
      receipt: "",
    });
  }

  /** Time passes: leases end and old messages are deleted. */
  passTime(at: number, retentionMs: number): void {
    for (const message of this.messages) {
      if (message.until === undefined || message.until > at) continue;
      message.until = undefined;
      message.visibleFrom = 0;
    }
    this.messages = this.messages.filter(({ storedAt }) => storedAt > at - retentionMs);
  }

  /** Removes and returns messages at the heads of free groups that were received too often. */
  takeDead(at: number, receivesMax: number): number[] {
    const dead: ReferenceMessage[] = [];
    for (const group of this.#freeGroups(at)) {
      for (const message of group) {
        if (message.receives < receivesMax || message.visibleFrom > at) break;
        dead.push(message);
      }
    }
    this.messages = this.messages.filter((message) => !dead.includes(message));
    return dead.map(({ position }) => position).sort((a, b) => a - b);
  }

  receive(at: number, ask: { max: number; timeoutMs: number; receivesMax: number; inFlightMax: number }): number[] {
    let room = Math.min(ask.max, ask.inFlightMax - this.inFlight);
    const taken: ReferenceMessage[] = [];
    for (const group of this.#freeGroups(at)) {
      for (const message of group) {
        if (room <= 0 || message.visibleFrom > at || message.receives >= ask.receivesMax) break;
        taken.push(message);
        room--;
      }
    }
    for (const message of taken) {
      message.until = at + ask.timeoutMs;
      message.receives++;
    }
    return taken.map(({ position }) => position).sort((a, b) => a - b);
  }

  withReceipt(receipt: string): ReferenceMessage | undefined {
    return this.messages.find((message) => message.receipt === receipt && message.until !== undefined);
  }

  /** The messages of each group that has nothing in flight and whose first one can be received, the oldest first. */
  #freeGroups(at: number): ReferenceMessage[][] {
    const groups = new Map<string | undefined, ReferenceMessage[]>();
    for (const message of this.messages) groups.set(message.group, [...(groups.get(message.group) ?? []), message]);
    return [...groups.values()].filter(
      (group) => group.every(({ until }) => until === undefined) && (group[0]?.visibleFrom ?? 0) <= at,
    );
  }
}
