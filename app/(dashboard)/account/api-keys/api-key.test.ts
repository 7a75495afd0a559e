import { expect, it } from "vitest";
import { stateOf } from "./api-key";

const NOW = new Date("2026-11-20T12:00:00Z");

it.each([
  [null, null, "active"],
  [null, "2026-11-20T12:00:01Z", "active"],
  [null, "2026-11-20T12:00:00Z", "expired"],
  ["2026-11-19T12:00:00Z", null, "revoked"],
  ["2026-11-19T12:00:00Z", "2026-11-18T12:00:00Z", "revoked"],
] as const)("calls a key revoked at %s that expires at %s %s", (revoked_at, expires_at, state) => {
  expect(stateOf({ revoked_at, expires_at }, NOW)).toBe(state);
});
