import { expect, it } from "vitest";
import { nextInvoiceStatus } from "./invoice-status";
import { monthsToClose, periodOf } from "./months";
import { usagePeriod } from "./usage-period";

it("closes the months that ended at least 6 hours ago, across the end of a year", () => {
  expect(monthsToClose("2026-11", new Date("2027-02-01T05:59:59Z"))).toEqual(["2026-11", "2026-12"]);
  expect(monthsToClose("2026-11", new Date("2027-02-01T06:00:00Z"))).toEqual(["2026-11", "2026-12", "2027-01"]);
  expect(monthsToClose("2027-03", new Date("2027-02-01T06:00:00Z"))).toEqual([]);
  expect(periodOf("2026-12").to.toISOString()).toBe("2027-01-01T00:00:00.000Z");
});

it("ends a period now at the latest, and begins it with the month by default", () => {
  const now = new Date("2026-11-20T09:00:00Z");
  const textOf = (asked: Parameters<typeof usagePeriod>[0]) =>
    Object.values(usagePeriod(asked, now)).map((at: Date) => at.toISOString().slice(0, 13));
  expect(textOf({})).toEqual(["2026-11-01T00", "2026-11-20T09"]);
  expect(textOf({ days: 2 })).toEqual(["2026-11-19T00", "2026-11-20T09"]);
  expect(textOf({ to: "2026-11-01" })).toEqual(["2026-10-01T00", "2026-11-01T00"]);
  expect(textOf({ from: "2026-11-03", to: "2026-12-01" })).toEqual(["2026-11-03T00", "2026-11-20T09"]);
});

it("changes the status of an invoice only forwards: money that arrived stays", () => {
  expect(nextInvoiceStatus("open", "paid")).toBe("paid");
  expect(nextInvoiceStatus("uncollectible", "paid")).toBe("paid");
  expect(nextInvoiceStatus("uncollectible", "void")).toBe("void");
  for (const outcome of ["paid", "void", "uncollectible", "failed"] as const)
    expect([outcome, nextInvoiceStatus("paid", outcome)]).toEqual([outcome, undefined]);
  expect(nextInvoiceStatus("void", "uncollectible")).toBeUndefined();
});
