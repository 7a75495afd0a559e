import { describe, expect, it } from "vitest";
import { decideRefresh } from "./decide-refresh";

const NOW = new Date("2026-11-20T12:00:00Z");
const ago = (ms: number) => new Date(NOW.getTime() - ms);
const LATER = ago(-1);

describe("a refresh token", () => {
  it("is exchanged while it is unused and its session is active", () => {
    expect(decideRefresh({ usedAt: null, expiresAt: LATER }, NOW)).toBe("rotate");
  });

  it("is rejected as a race within ten seconds of its use, also when another process's clock is ahead", () => {
    for (const ms of [-2000, 0, 1, 9_999]) {
      expect(decideRefresh({ usedAt: ago(ms), expiresAt: LATER }, NOW)).toBe("raced");
    }
  });

  it("counts as stolen from ten seconds after its use on", () => {
    for (const ms of [10_000, 86_400_000]) {
      expect(decideRefresh({ usedAt: ago(ms), expiresAt: LATER }, NOW)).toBe("reused");
    }
  });

  it("is invalid from the moment its session expires, used or not", () => {
    for (const usedAt of [null, ago(0), ago(60_000)]) {
      expect(decideRefresh({ usedAt, expiresAt: NOW }, NOW)).toBe("expired");
    }
  });
});
