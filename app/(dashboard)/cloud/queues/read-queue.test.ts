import { expect, it } from "vitest";
import { FieldError } from "../../../trpc/failure";
import { amountIn, queueIn, RETENTION, secondsIn, VISIBILITY_TIMEOUT } from "./read-queue";

function fieldsOf(values: Record<string, string>): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) fields.set(name, value);
  return fields;
}

it("shows a duration in the largest unit that leaves no rest", () => {
  const { units } = VISIBILITY_TIMEOUT;
  expect(amountIn(30, units)).toEqual({ amount: 30, unit: "seconds" });
  expect(amountIn(90, units)).toEqual({ amount: 90, unit: "seconds" });
  expect(amountIn(43_200, units)).toEqual({ amount: 12, unit: "hours" });
  expect(amountIn(0, units)).toEqual({ amount: 0, unit: "seconds" });
  expect(amountIn(345_600, RETENTION.units)).toEqual({ amount: 4, unit: "days" });
});

it("reads what the form shows", () => {
  const fields = { name: " emails ", visibility_timeout_s: "1.5", visibility_timeout_s_unit: "minutes" };
  expect(queueIn(fieldsOf({ ...fields, retention_s: "4", retention_s_unit: "days", max_receives: "5" }))).toEqual({
    name: "emails",
    visibility_timeout_s: 90,
    retention_s: 345_600,
    max_receives: 5,
  });
});

it("says beside the field what is too long or no number", () => {
  const read = (text: string) =>
    secondsIn(fieldsOf({ retention_s: text, retention_s_unit: "days" }), "retention_s", RETENTION);
  expect(() => read("15")).toThrow(new FieldError("retention_s", "Enter at most 14 days."));
  expect(() => read("-1")).toThrow(FieldError);
  expect(() => read("")).toThrow(FieldError);
});
