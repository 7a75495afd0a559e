import fc from "fast-check";
import { expect, it } from "vitest";
import { slide } from "./rate-window";

const window = fc.record({ count: fc.integer({ min: 1, max: 5 }), windowMs: fc.integer({ min: 1, max: 50 }) });
const gapsMs = fc.array(fc.integer({ min: 0, max: 30 }), { minLength: 1, maxLength: 60 });

it("never allows more than the count in any window, and rejects nothing that has room", () => {
  fc.assert(
    fc.property(window, gapsMs, (asked, gaps) => {
      const stops: number[] = [];
      const passed: number[] = [];
      let now = 0;
      for (const gap of gaps) {
        now += gap;
        const before = passed.filter((at) => at > now - asked.windowMs).length;
        const verdict = slide(stops, now, asked);
        expect(verdict.allowed).toBe(before < asked.count);
        if (verdict.allowed) passed.push(now);
        else expect(slide([...stops], now + verdict.retryAfterMs, asked).allowed).toBe(true);
        if (verdict.retryAfterMs > 0) {
          expect(slide([...stops], now + verdict.retryAfterMs - 1, asked).allowed).toBe(false);
        }
      }
    }),
  );
});

it("keeps no more times than the count", () => {
  const stops: number[] = [];
  for (let now = 0; now < 1000; now++) slide(stops, now, { count: 20, windowMs: 60 });
  expect(stops.length).toBeLessThanOrEqual(20);
});
