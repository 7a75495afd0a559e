import { expect, it } from "vitest";
import { FieldError } from "../../trpc/failure";
import { amountIn, secondsIn, unitsUpTo } from "./durations";

it("shows a duration in the largest unit that leaves no rest", () => {
  expect(amountIn(30)).toEqual({ amount: 30, unit: "seconds" });
  expect(amountIn(90)).toEqual({ amount: 90, unit: "seconds" });
  expect(amountIn(43_200)).toEqual({ amount: 12, unit: "hours" });
  expect(amountIn(0)).toEqual({ amount: 0, unit: "seconds" });
  expect(amountIn(345_600)).toEqual({ amount: 4, unit: "days" });
});

it("offers the units that are no longer than the longest duration", () => {
  expect(unitsUpTo(43_200)).toEqual(["seconds", "minutes", "hours"]);
  expect(unitsUpTo(undefined)).toEqual(["seconds", "minutes", "hours", "days"]);
});

it("says beside the field what is too long or no number", () => {
  const read = (text: string, unit: string) => {
    const fields = new FormData();
    fields.set("retention_s", text);
    fields.set("retention_s_unit", unit);
    return secondsIn(fields, "retention_s", { minimum: 60, maximum: 1_209_600 });
  };
  expect(read("1.5", "minutes")).toBe(90);
  expect(() => read("15", "days")).toThrow(new FieldError("retention_s", "Enter at most 14 days."));
  expect(() => read("1", "seconds")).toThrow(new FieldError("retention_s", "Enter at least 1 minute."));
  expect(() => read("-1", "days")).toThrow(FieldError);
  expect(() => read("", "days")).toThrow(FieldError);
});
