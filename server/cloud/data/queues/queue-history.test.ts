import { describe, expect, it } from "vitest";
import { historyPeriodOf, historyPoints } from "./queue-history";
import type { QueueStep } from "./queue-minutes.sql";

const NOW = new Date("2026-11-20T12:00:30Z");
const at = (time: string) => Date.parse(`2026-11-20T${time}Z`);

describe("the period of a history", () => {
  it("is the last hour by minute, widened to whole steps", () => {
    expect(historyPeriodOf({ step: "1m" }, NOW)).toEqual({
      fromMs: at("11:00:00"),
      toMs: at("12:01:00"),
      stepMs: 60_000,
    });
    const asked = { from: "2026-11-20T10:07:00+01:00", to: "2026-11-20T11:01:00Z", step: "15m" } as const;
    expect(historyPeriodOf(asked, NOW)).toMatchObject({ fromMs: at("09:00:00"), toMs: at("11:15:00") });
  });

  it.each([
    [{ from: "yesterday", step: "1m" }, "from"],
    [{ to: "2026-11-20", step: "1m" }, "to"],
    [{ to: "2026-11-21T00:00:00Z", step: "1m" }, "to"],
    [{ from: "2026-11-20T12:00:30Z", step: "1m" }, "from"],
    [{ from: "2026-11-01T00:00:00Z", step: "6h" }, "from"],
    [{ from: "2026-11-19T00:00:00Z", step: "1m" }, "step"],
  ] as const)("refuses %j with the field %s", (asked, param) => {
    expect(() => historyPeriodOf(asked, NOW)).toThrow(expect.objectContaining({ code: "invalid_request", param }));
  });

  it("covers all that is kept", () => {
    expect(() => historyPeriodOf({ from: "2026-11-06T12:00:00Z", step: "6h" }, NOW)).not.toThrow();
  });
});

describe("the points of a history", () => {
  const depth = (waiting: number) => ({ waiting, delayed: 0, in_flight: 0 });
  const step = (
    startMs: number,
    { highest, last, sent = 0 }: { highest: number; last: number; sent?: number },
  ): QueueStep => ({
    startMs,
    sent,
    received: 0,
    acknowledged: 0,
    highest: depth(highest),
    last: depth(last),
  });
  const period = { fromMs: 0, toMs: 240_000, stepMs: 60_000 };
  const shown = (steps: QueueStep[]) => historyPoints(steps, period).map(({ sent, waiting }) => [sent, waiting]);

  it("has a point for each step, with the last known figures where nothing was measured", () => {
    const steps = [step(-60_000, { highest: 9, last: 7, sent: 5 }), step(60_000, { highest: 8, last: 3, sent: 2 })];
    expect(shown(steps)).toEqual([
      [0, 7],
      [2, 8],
      [0, 3],
      [0, 3],
    ]);
  });

  it("is empty before the first measurement", () => {
    expect(shown([step(180_000, { highest: 1, last: 1, sent: 1 })])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
      [1, 1],
    ]);
  });
});
