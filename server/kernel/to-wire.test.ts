import { expect, test } from "vitest";
import { z } from "zod";
import { toWire } from "./to-wire";

const Thing = z.object({
  id: z.string(),
  owner_id: z.string().nullable(),
  size_bytes: z.int(),
  created_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  state: z.enum(["new", "old"]),
});

const row = {
  id: "thg_1",
  ownerId: null,
  sizeBytes: 5_000_000_000n,
  createdAt: new Date("2026-11-20T08:00:00Z"),
  endedAt: null,
  state: "new" as const,
  secretHash: "sealed",
};

test("a record has the fields of its schema, and nothing else of the row", () => {
  expect(toWire(Thing, row, {})).toEqual({
    id: "thg_1",
    owner_id: null,
    size_bytes: 5_000_000_000,
    created_at: "2026-11-20T08:00:00.000Z",
    ended_at: null,
    state: "new",
  });
});

test("fields of its own come before those of the row, null and empty ones too", () => {
  const owned = { ...row, ownerId: "usr_1" };
  const shown = toWire(Thing, owned, { owner_id: null, size_bytes: 0 });
  expect(shown).toMatchObject({ owner_id: null, size_bytes: 0, id: "thg_1" });
});

test("a row without a field of the schema, and a field that the schema lacks, do not compile", () => {
  const { state: _, ...without } = row;
  // @ts-expect-error: `state` is missing.
  toWire(Thing, without, {});
  // @ts-expect-error: the schema has `owner_id`.
  toWire(Thing, row, { owner: "usr_1" });
  expect(toWire(Thing, without, { state: "old" })).toHaveProperty("state", "old");
});
