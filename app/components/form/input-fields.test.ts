import { expect, it } from "vitest";
import { FieldError } from "../../trpc/failure";
import type { FieldSchema } from "./field-schema";
import { controlOf, inputIn, isPlain, labelOf, textOf } from "./input-fields";

const read = (name: string, schema: FieldSchema, { text, isSent = false }: { text?: string; isSent?: boolean }) => {
  const fields = new FormData();
  if (text !== undefined) fields.set(name, text);
  return inputIn(fields, { name, schema, control: controlOf(name, schema), isSent });
};
const NUMBER = { type: "integer" };
const TEXT = { type: "string" };

it("labels a field with its title, else with its name in words, without its unit", () => {
  expect(labelOf("dlq", { title: "Dead-letter queue" })).toBe("Dead-letter queue");
  expect(labelOf("idle_timeout_seconds", NUMBER)).toBe("Idle timeout");
  expect(labelOf("icon_url", TEXT)).toBe("Icon URL");
  expect(labelOf("memory_mb", NUMBER)).toBe("Memory");
});

it("chooses the control by the schema, and by the unit of a number", () => {
  expect(controlOf("bid_micros", NUMBER)).toBe("money");
  expect(controlOf("retention_s", NUMBER)).toBe("duration");
  expect(controlOf("cpu", NUMBER)).toBe("number");
  expect(controlOf("tier", { type: "string", enum: ["hot"] })).toBe("choice");
  expect(controlOf("origins", { type: "array", items: TEXT })).toBe("lines");
});

it("shows by itself what needs no special field", () => {
  expect([TEXT, NUMBER, { type: "array", items: TEXT }].map(isPlain)).toEqual([true, true, true]);
  expect([{ type: "array" }, { type: "object" }, {}].map(isPlain)).toEqual([false, false, false]);
});

it("reads each control as the API takes it", () => {
  expect(read("bid_micros", NUMBER, { text: "1.25" })).toBe(1_250_000);
  expect(read("origins", { type: "array", items: TEXT }, { text: "a\n b," })).toEqual(["a", "b"]);
  expect(read("name", TEXT, { text: " emails " })).toBe("emails");
  expect(read("public_read", { type: "boolean" }, {})).toBe(false);
  expect(() => read("cpu", NUMBER, { text: "many" })).toThrow(FieldError);
  expect(textOf(1_250_000, "money")).toBe("1.25");
});

it("sends an empty field only if it is required or changes what exists", () => {
  expect(read("name", TEXT, { text: "" })).toBeUndefined();
  expect(read("name", TEXT, { text: "", isSent: true })).toBe("");
  expect(read("domain", { ...TEXT, nullable: true }, { text: "", isSent: true })).toBeNull();
  expect(read("origins", { type: "array" }, { text: "", isSent: true })).toEqual([]);
  expect(() => read("cpu", NUMBER, { text: "", isSent: true })).toThrow(new FieldError("cpu", "Fill in this field."));
});
