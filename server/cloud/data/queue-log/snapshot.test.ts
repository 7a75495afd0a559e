import fc from "fast-check";
import { expect, it } from "vitest";
import { applyEntry } from "./apply-entry";
import { ByPosition } from "./by-position";
import { QueueState } from "./queue-state";
import { readSnapshot, readSnapshotInTurns, writeSnapshot } from "./snapshot";

const LEASES = 200;
const PER_LEASE = 100;

/** A queue with every message of many groups in flight, one hundred in each lease. */
function inFlight(): QueueState {
  const state = new QueueState();
  applyEntry(state, { at: 1, sent: LEASES * PER_LEASE });
  for (let n = 0; n < LEASES; n++)
    applyEntry(state, { at: 2, leased: [[1_000_000 + n, n, [n * PER_LEASE, PER_LEASE]]] });
  return state;
}

it("has leases as runs, so that a million messages in flight are not a line each", () => {
  const text = writeSnapshot(inFlight());
  expect(text.length).toBeLessThan(LEASES * 60);
  expect(writeSnapshot(readSnapshot(text)) === text).toBe(true);
});

it("has what is left of a lease, with different ends and counts", () => {
  const state = inFlight();
  applyEntry(state, { at: 3, acknowledged: [[1, [0, 2, 50, 1]]], extended: [[1, [10, 5], 2_000_000]] });
  applyEntry(state, { at: 2_500_000 });
  applyEntry(state, { at: 2_500_001, leased: [[3_000_000, 9, [2, 3, 10, 1, 60, 1]]] });
  const [read, lease] = [readSnapshot(writeSnapshot(state)), LEASES + 1];
  expect([read.inFlight, read.live]).toEqual([state.inFlight, state.live]);
  const slotsOf = ({ leases }: QueueState) =>
    leases.get(lease)?.slots.map((m) => m && [m.position, m.receives, m.hold?.until]);
  expect(slotsOf(read)).toEqual([2, 3, 4, 10, 60].map((position) => [position, 2, 3_000_000]));
  applyEntry(state, { at: 2_500_002, acknowledged: [[lease, [1, 1]]], extended: [[lease, [3, 1], 4_000_000]] });
  expect(slotsOf(readSnapshot(writeSnapshot(state)))).toEqual([
    [2, 2, 3_000_000],
    undefined,
    [4, 2, 3_000_000],
    [10, 2, 4_000_000],
    [60, 2, 3_000_000],
  ]);
});

it("is read as it was written before, with each slot by itself", () => {
  const state = inFlight();
  const { leases, ...others } = JSON.parse(writeSnapshot(state)) as { leases: unknown[] };
  const old = [...state.leases.values()].map(({ id, tag, slots }) => [
    id,
    tag,
    slots.flatMap((m, slot) => (m ? [[slot, m.position, m.receives, m.hold?.until]] : [])),
  ]);
  expect(leases).not.toEqual(old);
  const read = readSnapshot(JSON.stringify({ ...others, leases: old }));
  expect(writeSnapshot(read) === writeSnapshot(state)).toBe(true);
});

it("lets others have their turn while a large one is read", async () => {
  const text = writeSnapshot(inFlight());
  let [turns, isRead] = [0, false];
  const count = () => {
    turns++;
    if (!isRead) setImmediate(count);
  };
  setImmediate(count);
  const read = await readSnapshotInTurns(text);
  isRead = true;
  expect(turns).toBeGreaterThanOrEqual((LEASES * PER_LEASE) / 5000 - 1);
  expect(writeSnapshot(read) === text).toBe(true);
});

it("finds messages by position as a Map does", () => {
  const step = fc.record({ position: fc.nat(200), isSet: fc.boolean() });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const [map, own] = [new Map<number, object>(), new ByPosition<object>()];
      for (const { position, isSet } of steps) {
        const item = {};
        for (const each of [map, own]) isSet ? each.set(position, item) : each.delete(position);
        expect([own.size, own.get(position), own.has(position)]).toEqual([
          map.size,
          map.get(position),
          map.has(position),
        ]);
      }
      expect(new Set(own.keys())).toEqual(new Set(map.keys()));
      expect(new Set(own.values())).toEqual(new Set(map.values()));
    }),
  );
});
