import { expect, it } from "vitest";
import { ManualClock } from "./clock";
import { openCursor, sealCursor } from "./cursor";
import { fetchPage } from "./page";

const HOUR_MS = 60 * 60 * 1000;
const scopeOf = (changes: { tenantId?: string; filter?: string } = {}) => ({
  key: Buffer.alloc(32, 7),
  clock: new ManualClock(new Date("2026-11-20T08:00:00Z")),
  tenantId: "ten_1",
  filter: "channels:test",
  ...changes,
});

it("returns the position to the list and tenant that it was created for", () => {
  const cursor = sealCursor(scopeOf(), "chn_5");
  expect(cursor).toMatch(/^cur_[A-Za-z0-9_-]+$/);
  expect(openCursor(scopeOf(), cursor)).toBe("chn_5");
});

it.each([
  ["another tenant", scopeOf({ tenantId: "ten_2" }), (cursor: string) => cursor],
  ["another filter", scopeOf({ filter: "channels:live" }), (cursor: string) => cursor],
  ["a changed character", scopeOf(), (cursor: string) => `${cursor.slice(0, -2)}AA`],
  ["another prefix", scopeOf(), (cursor: string) => cursor.replace("cur_", "ptr_")],
  ["nothing", scopeOf(), () => ""],
])("rejects a cursor with %s", (_what, scope, change) => {
  expect(() => openCursor(scope, change(sealCursor(scopeOf(), "chn_5")))).toThrowError(
    expect.objectContaining({ code: "invalid_request", param: "cursor", details: { reason: "cursor_invalid" } }),
  );
});

it("is valid for 24 h, and the error says so afterwards", () => {
  const scope = scopeOf();
  const cursor = sealCursor(scope, "chn_5");
  scope.clock.advance(24 * HOUR_MS);
  expect(openCursor(scope, cursor)).toBe("chn_5");
  scope.clock.advance(1);
  expect(() => openCursor(scope, cursor)).toThrowError(
    expect.objectContaining({ details: { reason: "cursor_expired" } }),
  );
});

it("walks a list page by page, each item once, and ends with null", async () => {
  const rows = Array.from({ length: 7 }, (_, i) => ({ id: `chn_${9 - i}` }));
  const seen: string[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < 10; pages++) {
    const page = await fetchPage(scopeOf(), { cursor, limit: 3 }, async ({ after, take }) =>
      rows.filter(({ id }) => after === undefined || id < after).slice(0, take),
    );
    seen.push(...page.data.map(({ id }) => id));
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  expect(seen).toEqual(rows.map(({ id }) => id));
});
