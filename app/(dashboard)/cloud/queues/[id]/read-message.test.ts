import { expect, it } from "vitest";
import { FieldError } from "../../../../trpc/failure";
import { messageIn } from "./read-message";

function read(values: Record<string, string>) {
  const fields = new FormData();
  for (const [name, value] of Object.entries({ format: "json", ...values })) fields.set(name, value);
  return messageIn(fields);
}

it("reads a JSON object, and text with its spaces", () => {
  expect(read({ body: ' {"a": [1, null]} ' })).toEqual({ body: { a: [1, null] } });
  expect(read({ format: "text", body: " <b>hi</b>\n" })).toEqual({ body: " <b>hi</b>\n" });
});

it("reads the optional fields that are filled in", () => {
  const filled = { body: "{}", group_id: " user-1 ", delay_seconds: "60", deduplication_id: "order-7" };
  expect(read(filled)).toEqual({ body: {}, group_id: "user-1", delay_seconds: 60, deduplication_id: "order-7" });
  expect(read({ body: "{}", group_id: " ", delay_seconds: "", deduplication_id: "" })).toEqual({ body: {} });
});

it.each(["", "{", "[1]", "null", '"text"', "7"])("refuses %j as a JSON object", (body) => {
  expect(() => read({ body })).toThrow(FieldError);
});

it.each(['{"id":9007199254740993}', '{"a":[-1e400]}'])("refuses a number that a browser would change: %s", (body) => {
  expect(() => read({ body })).toThrow(/write .* as text, in quotes/);
  expect(read({ format: "text", body })).toEqual({ body });
});

it("refuses a body beyond 256 KiB in UTF-8 and a delay beyond 15 minutes", () => {
  expect(() => read({ format: "text", body: "ü".repeat(131_072) })).not.toThrow();
  expect(() => read({ format: "text", body: "ü".repeat(131_073) })).toThrow(/at most 256/);
  for (const delay_seconds of ["901", "-1", "1.5", "soon"])
    expect(() => read({ body: "{}", delay_seconds })).toThrow(FieldError);
});
