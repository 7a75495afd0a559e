import { expect, it } from "vitest";
import { FieldError } from "../../trpc/failure";
import type { InputSchema } from "./field-schema";
import { formFields, inputIn, textOf } from "./form-fields";

const input: InputSchema<"createQueue"> = {
  operation: "createQueue",
  properties: {
    name: { type: "string", maxLength: 80, identifier: true },
    cpu: { type: "integer", default: 1, minimum: 1, maximum: 256 },
    bid_micros: { type: "integer", nullable: true },
    retention_s: { type: "integer", default: 345_600, minimum: 60, maximum: 1_209_600 },
    tier: { type: "string", enum: ["hot", "cold"], default: "hot" },
    public_read: { type: "boolean" },
    origins: { type: "array" },
    note: { type: "string" },
    project: { type: "string" },
  },
  required: ["name"],
};
const ALL = Object.fromEntries(Object.keys(input.properties).map((name) => [name, {}]));
/** The form data before the first edit. */
const UNTOUCHED = { name: "", cpu: "1", bid_micros: "", retention_s: "4", retention_s_unit: "days", tier: "hot" };

function formOf(texts: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, text] of Object.entries(texts)) form.set(name, text);
  return form;
}
const created = (texts: Readonly<Record<string, string>>) =>
  inputIn(formOf({ ...UNTOUCHED, ...texts }), formFields({ input, fields: ALL }));

it("sends exactly the input of the operation: numbers as numbers, and nothing for what is left empty", () => {
  expect(created({ name: " emails " })).toStrictEqual({
    name: "emails",
    cpu: 1,
    bid_micros: null,
    retention_s: 345_600,
    tier: "hot",
    public_read: false,
  });
  const whole = { cpu: "2.5", bid_micros: "1.25", public_read: "on", origins: "a\n b,", note: "x", project: "prj_1" };
  expect(created({ name: "emails", ...whole })).toStrictEqual({
    name: "emails",
    cpu: 2.5,
    bid_micros: 1_250_000,
    retention_s: 345_600,
    tier: "hot",
    public_read: true,
    origins: ["a", "b"],
    note: "x",
    project: "prj_1",
  });
});

it("sends code and passwords as they were typed, with their spaces", () => {
  const fields = formFields({ input, fields: { name: { as: "password" }, note: { as: "code" } } });
  const typed = { name: " ", note: " a\n" };
  expect(inputIn(formOf(typed), fields)).toStrictEqual(typed);
});

it("names every field that is empty but required, or no number in its range", () => {
  expect(() => created({ name: "", cpu: "", retention_s: "15" })).toThrow(
    expect.objectContaining({
      param: "name",
      message: "Fill in this field.",
      others: [new FieldError("cpu", "Fill in this field."), new FieldError("retention_s", "Enter at most 14 days.")],
    }),
  );
  expect(() => created({ name: "emails", cpu: "many" })).toThrow(FieldError);
  expect(() => created({ name: "emails", retention_s: "15" })).toThrow(
    new FieldError("retention_s", "Enter at most 14 days."),
  );
  expect(() => created({ name: "emails", retention_s: "5", retention_s_unit: "seconds" })).toThrow(
    new FieldError("retention_s", "Enter at least 1 minute."),
  );
});

it("of what exists sends every field, so that an empty one clears its value", () => {
  const values = { name: "emails", cpu: 4, bid_micros: 5_000_000, origins: ["a"], note: "x" };
  const fields = formFields({
    input,
    fields: { name: {}, cpu: {}, bid_micros: {}, origins: {}, note: { optional: true } },
    values,
  });
  expect(fields.map(({ value }) => value)).toEqual(["emails", 4, 5_000_000, ["a"], "x"]);
  const cleared = formOf({ name: "emails", cpu: "4", bid_micros: "", origins: "", note: "" });
  expect(inputIn(cleared, fields)).toStrictEqual({ name: "emails", cpu: 4, bid_micros: null, origins: [], note: "" });
});

it("asks only for the listed fields, and takes what a page says before what the schema says", () => {
  const [note, name] = formFields({
    input,
    fields: { note: { value: "x", label: "Comment" }, name: { optional: true } },
  });
  expect(note).toMatchObject({ name: "note", label: "Comment", value: "x", isOptional: false });
  expect(name).toMatchObject({ name: "name", label: "Name", isOptional: true, control: "identifier" });
  const own = formFields({ input, fields: { name: { read: () => "emails" }, note: { read: () => undefined } } });
  expect(inputIn(formOf({}), own)).toStrictEqual({ name: "emails" });
});

it("marks what may stay empty as optional: what has no value to begin with, may be null or is a list", () => {
  const optional = formFields({ input, fields: ALL }).filter(({ isOptional }) => isOptional);
  expect(optional.map(({ name }) => name)).toEqual(["bid_micros", "public_read", "origins", "note", "project"]);
});

it("chooses the control by the schema, and by the unit of a number", () => {
  const controls = formFields({ input, fields: ALL }).map(({ name, control }) => [name, control]);
  expect(Object.fromEntries(controls)).toEqual({
    name: "identifier",
    cpu: "number",
    bid_micros: "money",
    retention_s: "duration",
    tier: "choice",
    public_read: "flag",
    origins: "lines",
    note: "text",
    project: "project",
  });
});

it("shows money in units of the currency", () => expect(textOf(1_250_000, "money")).toBe("1.25"));
