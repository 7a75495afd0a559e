import fc from "fast-check";
import { expect, it } from "vitest";
import { ReferenceQueue } from "../../../../test/factories/reference-queue";
import { applyEntry } from "./apply-entry";
import { decideTurn, type ReceiptCommand } from "./decide-turn";
import { decideUpkeep, findDead } from "./decide-upkeep";
import type { Entry, MessageRow } from "./entry";
import { QueueState } from "./queue-state";
import { toRuns } from "./runs";
import { readSnapshot, writeSnapshot } from "./snapshot";

const RETENTION_MS = 300_000;
const RECEIVES_MAX = 3;
const IN_FLIGHT_MAX = 6;
const GROUPS = [undefined, "g", "h", "i"];
const NOTHING = { sends: [], receipts: [], receives: [], undone: [] };
const LIMITS = { inFlightMax: IN_FLIGHT_MAX, receivesMax: RECEIVES_MAX, receiveBytesMax: 1e9, turnBytesMax: 1e9 };

type Command =
  | { kind: "send"; groups: number[]; delayMs: number }
  | { kind: "receive"; max: number; timeoutMs: number; isUndone: boolean }
  | { kind: "receipts"; each: { which: number; kind: ReceiptCommand["kind"]; ms: number }[] }
  | { kind: "wait"; ms: number }
  | { kind: "clock"; ms: number }
  | { kind: "process"; n: number }
  | { kind: "crash"; fromSnapshot: boolean }
  | { kind: "snapshot" }
  | { kind: "load"; rows: number }
  | { kind: "purge" };

const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("send" as const),
      groups: fc.array(fc.nat(3), { minLength: 1, maxLength: 4 }),
      delayMs: fc.constantFrom(0, 0, 0, 5000, 40_000),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("receive" as const),
      max: fc.integer({ min: 1, max: 5 }),
      timeoutMs: fc.constantFrom(0, 5000, 30_000),
      isUndone: fc.nat(9).map((n) => n === 0),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("receipts" as const),
      each: fc.array(
        fc.record({
          which: fc.nat(20),
          kind: fc.constantFrom("acknowledge" as const, "acknowledge" as const, "extend" as const, "return" as const),
          ms: fc.constantFrom(0, 3000, 60_000),
        }),
        { minLength: 1, maxLength: 4 },
      ),
    }),
  },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 0, max: 40_000 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("clock" as const), ms: fc.integer({ min: -60_000, max: 60_000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("process" as const), n: fc.nat(1) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("crash" as const), fromSnapshot: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("snapshot" as const) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("load" as const), rows: fc.integer({ min: 1, max: 4 }) }) },
  { weight: 1, arbitrary: fc.nat(5).map((n): Command => (n === 0 ? { kind: "purge" } : { kind: "wait", ms: 100 })) },
);

/** Two processes with copies of one log and one table of messages, and the reference model beside them. */
class World {
  readonly #entries: Entry[] = [];
  readonly #rows: MessageRow[] = [];
  #snapshot: { seq: number; text: string } | undefined;
  readonly #processes = [0, 1].map(() => ({ state: new QueueState(), seq: 0 }));
  #n = 0;
  #clock = 1_000_000;
  readonly #model = new ReferenceQueue();
  readonly #receipts: { lease: number; tag: number; slot: number; name: string }[] = [];
  #receives = 0;

  run(each: Command): void {
    switch (each.kind) {
      case "send":
        this.#send(each);
        return;
      case "receive":
        this.#receive(each);
        return;
      case "receipts":
        this.#changeLeases(each);
        return;
      case "wait":
      case "clock":
        this.#clock += each.ms;
        return;
      case "process":
        this.#n = each.n;
        return;
      case "crash":
        this.#crash(each.fromSnapshot);
        return;
      case "snapshot":
        this.#snapshot = { seq: this.#process.seq, text: writeSnapshot(this.#process.state) };
        return;
      case "load":
        this.#load(each.rows);
        return;
      case "purge":
        this.#purge();
        return;
    }
  }

  /** Every copy of the state, however it came about, is the same, and counts what the model counts. */
  check(): void {
    const fresh = new QueueState();
    for (const entry of this.#entries) applyEntry(fresh, entry);
    const expected = contentOf(fresh);
    for (const n of [0, 1]) {
      this.#n = n;
      expect(contentOf(this.#current())).toEqual(expected);
      expect(contentOf(readSnapshot(writeSnapshot(this.#current())))).toEqual(expected);
      expect(this.#current().live).toBe(this.#model.messages.length);
      expect(this.#current().inFlight).toBe(this.#model.inFlight);
      expect(this.#current().low).toBe(this.#model.messages[0]?.position ?? this.#model.tail);
    }
  }

  get #process() {
    const process = this.#processes[this.#n];
    if (!process) throw new Error("There are two processes.");
    return process;
  }

  /** The state of the process with all entries applied, its rows loaded or not. */
  #current(): QueueState {
    const process = this.#process;
    for (; process.seq < this.#entries.length; process.seq++)
      applyEntry(process.state, this.#entries[process.seq] as Entry);
    return process.state;
  }

  #now(state: QueueState): number {
    return Math.max(state.at, this.#clock);
  }

  #append(entry: Entry): void {
    this.#entries.push(entry);
    this.#current();
  }

  #load(rows: number): void {
    const { state } = this.#process;
    const to = Math.min(state.tail, state.loadedTo + rows);
    if (to > state.loadedTo) expect(state.load(this.#rows.slice(state.loadedTo, to), to)).toBe(true);
  }

  #send({ groups, delayMs }: { groups: number[]; delayMs: number }): void {
    const state = this.#current();
    const at = this.#now(state);
    const { tail } = state;
    const { entry } = decideTurn(state, { ...NOTHING, sends: groups.map(() => ({ delayMs })) }, { ...LIMITS, at });
    for (const [i, n] of groups.entries()) {
      const groupId = GROUPS[n];
      this.#rows.push({
        position: tail + i,
        groupId,
        visibleFrom: delayMs > 0 ? at + delayMs : 0,
        storedAt: at,
        bytes: 1,
        chunk: tail,
        start: i,
      });
      this.#model.send(groupId, { at, delayMs });
    }
    this.#append(entry as Entry);
    this.#model.passTime(at, Number.POSITIVE_INFINITY);
  }

  #receive({ max, timeoutMs, isUndone }: { max: number; timeoutMs: number; isUndone: boolean }): void {
    const state = this.#current();
    while (state.loadedTo < state.tail) this.#load(3);
    const at = this.#now(state);
    const upkeep = decideUpkeep(state, at, RETENTION_MS);
    if (upkeep) this.#append(upkeep);
    this.#model.passTime(at, RETENTION_MS);
    const dead = findDead(state, at, { receivesMax: RECEIVES_MAX, messagesMax: 1000 }).map(({ position }) => position);
    expect(dead).toEqual(this.#model.takeDead(at, RECEIVES_MAX));
    if (dead.length > 0) this.#append({ at, moved: toRuns(dead) });
    const before = this.#model.messages.map(({ visibleFrom }) => visibleFrom);
    const command = { messagesMax: max, visibilityTimeoutMs: timeoutMs, tag: ++this.#receives };
    const { entry, receives } = decideTurn(state, { ...NOTHING, receives: [command] }, { ...LIMITS, at });
    const [taken] = receives;
    const positions = taken?.messages.map(({ position }) => position) ?? [];
    const limits = { receivesMax: RECEIVES_MAX, inFlightMax: IN_FLIGHT_MAX };
    expect(positions).toEqual(this.#model.receive(at, { max, timeoutMs, ...limits }));
    expect(before).toEqual(this.#model.messages.map(({ visibleFrom }) => visibleFrom));
    if (!entry || !taken) return;
    this.#append(entry);
    expect(taken.messages.map(({ receives: n }) => n)).toEqual(
      this.#model.messages.filter(({ position }) => positions.includes(position)).map(({ receives: n }) => n),
    );
    this.#note(taken.lease, positions, command.tag);
    if (isUndone) this.#undo(taken.lease, positions);
  }

  #note(lease: number, positions: number[], tag: number): void {
    for (const [slot, position] of positions.entries()) {
      const name = `${lease}.${slot}`;
      this.#receipts.push({ lease, tag, slot, name });
      for (const message of this.#model.messages) if (message.position === position) message.receipt = name;
    }
  }

  #undo(lease: number, positions: number[]): void {
    const state = this.#current();
    const at = this.#now(state);
    const { entry } = decideTurn(state, { ...NOTHING, undone: [lease] }, { ...LIMITS, at });
    this.#model.passTime(at, Number.POSITIVE_INFINITY);
    this.#append(entry as Entry);
    for (const message of this.#model.messages) {
      if (!positions.includes(message.position) || message.until === undefined) continue;
      Object.assign(message, { until: undefined, receives: message.receives - 1, visibleFrom: 0 });
    }
  }

  #changeLeases({ each }: { each: { which: number; kind: ReceiptCommand["kind"]; ms: number }[] }): void {
    const state = this.#current();
    const at = this.#now(state);
    const chosen = each.flatMap(({ which, kind, ms }) => {
      const receipt = this.#receipts.at(-1 - which);
      return receipt ? [{ ...receipt, kind, ms }] : [];
    });
    const { entry, receipts: outcomes } = decideTurn(state, { ...NOTHING, receipts: chosen }, { ...LIMITS, at });
    this.#model.passTime(at, Number.POSITIVE_INFINITY);
    const expected = chosen.map(({ name, kind, ms }) => {
      const message = this.#model.withReceipt(name);
      if (!message) return "expired";
      if (kind === "extend") message.until = at + ms;
      else if (kind === "return") Object.assign(message, { until: undefined, visibleFrom: ms === 0 ? 0 : at + ms });
      else this.#model.messages = this.#model.messages.filter((one) => one !== message);
      return "ok";
    });
    expect(outcomes).toEqual(expected);
    const appended = entry ?? decideUpkeep(state, at, Number.POSITIVE_INFINITY);
    if (appended) this.#append(appended);
  }

  #crash(fromSnapshot: boolean): void {
    const process = this.#process;
    const snapshot = fromSnapshot ? this.#snapshot : undefined;
    process.state = snapshot ? readSnapshot(snapshot.text) : new QueueState();
    process.seq = snapshot?.seq ?? 0;
  }

  #purge(): void {
    const state = this.#current();
    this.#append({ at: this.#now(state), floor: state.tail });
    this.#model.messages = [];
  }
}

/** What a snapshot has, in one order. */
function contentOf(state: QueueState): unknown {
  const content = JSON.parse(writeSnapshot(state)) as { leases: number[][]; returned: number[][]; delays: number[][] };
  for (const list of [content.leases, content.returned, content.delays]) list.sort((a, b) => (a[0] ?? 0) - (b[0] ?? 0));
  return { ...content, inFlight: state.inFlight };
}

it("behaves like the reference model through crashes, time-outs, clock steps and a change of processes", () => {
  fc.assert(
    fc.property(fc.array(command, { minLength: 1, maxLength: 60, size: "max" }), (commands) => {
      const world = new World();
      for (const each of commands) world.run(each);
      world.check();
    }),
    { numRuns: 2000 },
  );
}, 300_000);
