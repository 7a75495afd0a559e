import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { nextPace, PASS_RATE_MIN, type Pace, type PaceStep, UNPACED } from "./next-pace";

const STEP_DAYS = 5 / 86_400;
const plan = (leftNanos: number, days: number, plannedNanos = leftNanos) => ({ leftNanos, days, plannedNanos });
const quiet = { days: STEP_DAYS, servedNanos: 0, expectedNanos: 0, chargedNanos: 0, pendingNanos: 0, eventNanos: 100 };
const step = (change: Partial<PaceStep>): PaceStep => ({ ...quiet, plans: [], ...change });

function repeatedly(pace: Pace, count: number, next: (pace: Pace) => PaceStep): Pace {
  let last = pace;
  for (let i = 0; i < count; i++) last = nextPace(last, next(last));
  return last;
}

/** Offers worth `dayNanos` per day at full rate, with the predicted cost. */
const supplied = (dayNanos: number, plans: PaceStep["plans"]) => (pace: Pace) => {
  const nanos = dayNanos * STEP_DAYS * pace.passRate;
  return step({ servedNanos: nanos, expectedNanos: nanos, chargedNanos: nanos, plans });
};

describe("the next pass rate", () => {
  test("converges to the remaining budget's share of full-rate spend", () => {
    const { passRate } = repeatedly(UNPACED, 500, supplied(8_000_000, [plan(1_000_000, 0.5)]));
    expect(passRate / 0.25).toBeCloseTo(1, 0.5);
  });

  test("follows the tightest of several budgets", () => {
    const plans = [plan(1_000_000, 0.5), plan(1_000_000, 5)];
    expect(repeatedly(UNPACED, 500, supplied(8_000_000, plans)).passRate / 0.025).toBeCloseTo(1, 0.5);
  });

  test("does not throttle before anything was served, or without a budget to spread", () => {
    expect(repeatedly(UNPACED, 50, () => step({ plans: [plan(1_000_000, 0.5)] })).passRate).toBe(1);
    expect(nextPace({ ...UNPACED, passRate: 0.01 }, step({ servedNanos: 1e9 })).passRate).toBe(1);
  });

  test("counts unsettled offers as spent", () => {
    const plans = [plan(1_000_000, 0.5)];
    const pace = repeatedly(UNPACED, 500, supplied(8_000_000, plans));
    const waiting = (pendingNanos: number) =>
      nextPace(pace, { ...supplied(8_000_000, plans)(pace), pendingNanos }).passRate;
    expect(waiting(500_000)).toBeLessThan(waiting(0));
    expect(waiting(1_000_000)).toBeCloseTo(pace.passRate / 2, 6);
  });

  test("is higher behind its plan and lower ahead of it", () => {
    const rate = (plannedNanos: number) =>
      repeatedly(UNPACED, 500, supplied(8_000_000, [plan(1_000_000, 0.5, plannedNanos)])).passRate;
    expect(rate(980_000)).toBeGreaterThan(rate(1_000_000));
    expect(rate(1_020_000)).toBeLessThan(rate(1_000_000));
  });

  test("learns that offers cost four times what was predicted", () => {
    const plans = [plan(10_000_000, 0.5)];
    const { passRate } = repeatedly(UNPACED, 3000, (pace) => {
      const nanos = 20_000_000 * STEP_DAYS * pace.passRate;
      return step({ servedNanos: nanos, expectedNanos: nanos, chargedNanos: 4 * nanos, plans, eventNanos: 1 });
    });
    expect(passRate).toBeCloseTo(0.25, 1);
  });

  test("recovers from the lowest rate to the highest within 20 steps", () => {
    const lowest = { ...UNPACED, passRate: PASS_RATE_MIN };
    expect(repeatedly(lowest, 20, () => step({ plans: [plan(1_000_000, 0.5)] })).passRate).toBeGreaterThan(0.9);
  });

  test("finds a low rate with the first step, not by repeated halving", () => {
    const offers = supplied(1e9, [plan(1_000_000, 1)])(UNPACED);
    expect(nextPace(UNPACED, offers).passRate / 0.001).toBeCloseTo(1, 0.5);
  });

  test("spends the rest immediately in the last minutes", () => {
    const pace = repeatedly(UNPACED, 500, supplied(1e12, [plan(1_000_000, 0.5)]));
    const last = repeatedly(pace, 20, supplied(1e12, [plan(1_000_000, 3 / 1440)]));
    expect(pace.passRate).toBeLessThan(1e-4);
    expect(last.passRate).toBe(1);
  });
});

const amount = fc.double({ min: 0, max: 1e15, noNaN: true });
const days = fc.double({ min: 0, max: 400, noNaN: true });
const anyStep = fc.record({
  days: fc.double({ min: 0, max: 1, noNaN: true }),
  servedNanos: amount,
  expectedNanos: fc.double({ min: -1e15, max: 1e15, noNaN: true }),
  chargedNanos: amount,
  pendingNanos: amount,
  eventNanos: fc.double({ min: 1, max: 1e15, noNaN: true }),
  plans: fc.array(
    fc.record({ leftNanos: fc.double({ min: -1e15, max: 1e18, noNaN: true }), days, plannedNanos: amount }),
    { maxLength: 2 },
  ),
});

test("the rate always stays within its bounds and changes by at most a factor of 2", () => {
  fc.assert(
    fc.property(fc.array(anyStep, { minLength: 1, maxLength: 30 }), (steps) => {
      let pace = UNPACED;
      for (const one of steps) {
        const next = nextPace(pace, one);
        expect(next.passRate).toBeGreaterThanOrEqual(PASS_RATE_MIN);
        expect(next.passRate).toBeLessThanOrEqual(1);
        if (one.plans.length > 0 && pace.passedDays > 0) {
          expect(next.passRate).toBeLessThanOrEqual(pace.passRate * 2.000001);
          expect(next.passRate).toBeGreaterThanOrEqual(Math.max(PASS_RATE_MIN, pace.passRate / 2.000001));
        }
        pace = next;
      }
    }),
  );
});
