import fc from "fast-check";
import { expect, it } from "vitest";
import { newId } from "../../../kernel/ids";
import { CHUNK_MESSAGES_MAX, packMessages, unpackMessages } from "./pack-messages";
import { HEAD_BYTES, readRecords, writeRecords } from "./record";
import { readBody, storeBody } from "./stored-body";

const TAIL = 5_000_000_000;
const AT = 1_767_225_600_000;

const message = fc.record({
  groupId: fc.option(fc.string({ unit: "binary", minLength: 1, maxLength: 128 }), { nil: undefined }),
  visibleFrom: fc.constantFrom(0, 0, 0, AT + 900_000),
  bytes: fc.oneof(fc.nat(100), fc.nat(3000), fc.integer({ min: 7000, max: 9000 }), fc.constant(262_144)),
});

it("chunks follow each other without gaps, fit into a page unless one message is larger, and say what they hold", () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 600, size: "max" }), (messages) => {
      const { chunks, rows } = packMessages(messages, { tail: TAIL, at: AT });
      let next = TAIL;
      for (const { first, count, length } of chunks) {
        expect(first).toBe(next);
        expect(count).toBeLessThanOrEqual(CHUNK_MESSAGES_MAX);
        expect(length <= 8000 || count === 1).toBe(true);
        next += count;
      }
      expect(next).toBe(TAIL + messages.length);
      expect(chunks.flatMap((chunk) => unpackMessages(chunk, AT))).toEqual(rows);
      expect(rows.map(({ groupId, visibleFrom, bytes }) => ({ groupId, visibleFrom, bytes }))).toEqual(messages);
    }),
    { numRuns: 200 },
  );
});

it("as many messages share a chunk as fit: a message more begins the next one", () => {
  const small = { groupId: undefined, visibleFrom: 0, bytes: 1000 };
  const counts = (bodies: number[]) =>
    packMessages(
      bodies.map((bytes) => ({ ...small, bytes })),
      { tail: 0, at: AT },
    ).chunks.map(({ count }) => count);
  expect(counts(Array(400).fill(1000) as number[])).toEqual([...(Array(57).fill(7) as number[]), 1]);
  expect(counts([1, 20_000, 1, 1])).toEqual([1, 1, 2]);
  expect(counts([])).toEqual([]);
});

it("records come back from any run of neighbours, whatever their bodies contain", () => {
  const body = fc.record({
    body: fc.oneof(fc.string({ unit: "binary", maxLength: 40 }), raw),
    isText: fc.constant(true),
  });
  fc.assert(
    fc.property(fc.array(body, { maxLength: 20 }), fc.nat(19), fc.nat(20), (bodies, from, count) => {
      const records = bodies.map((each) => {
        const stored = storeBody(each);
        return { ...stored, id: newId("msg", AT), bytes: Buffer.byteLength(stored.body) };
      });
      const written = writeRecords(records, AT);
      const sizes = records.map(({ bytes }) => HEAD_BYTES + bytes);
      const startOf = (n: number) => sizes.slice(0, n).reduce((sum, size) => sum + size, 0);
      const text = written.subarray(startOf(from), startOf(from + count)).toString();
      expect(text).not.toContain("\0");
      expect(readRecords(text).map(({ id, sentAt, ...stored }) => ({ id, sentAt, ...readBody(stored) }))).toEqual(
        bodies.slice(from, from + count).map((each, i) => ({ id: records[from + i]?.id, sentAt: AT, ...each })),
      );
    }),
  );
});

/** Any UTF-16 units, halves of surrogate pairs among them. */
const raw = fc
  .array(fc.constantFrom(0, 0x22, 0x41, 0xe9, 0x20ac, 0xd83d, 0xdca9), { maxLength: 12 })
  .map((units) => String.fromCharCode(...units));
