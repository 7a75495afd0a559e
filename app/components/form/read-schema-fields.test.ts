import { expect, it } from "vitest";
import type { ObjectSchema } from "./field-schema";
import { schemaFieldsIn } from "./read-schema-fields";

const schema: ObjectSchema = {
  required: ["image"],
  properties: {
    image: { type: "string" },
    gpu: { type: "boolean" },
    cpu: { type: "integer" },
    env: { type: "object" },
    command: { type: "array" },
    body: {},
  },
};

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it("reads each field in the type of its schema, and leaves out empty ones", () => {
  const given = { image: "alpine:3", gpu: "false", cpu: " 2 ", env: '{"A":"b"}', command: '["ls"]', body: "plain" };
  expect(schemaFieldsIn(schema, formOf(given))).toEqual({
    image: "alpine:3",
    gpu: false,
    cpu: 2,
    env: { A: "b" },
    command: ["ls"],
    body: "plain",
  });
  expect(schemaFieldsIn(schema, formOf({ image: "a", body: '{"n":1}', cpu: " " }))).toEqual({
    image: "a",
    body: { n: 1 },
  });
});

it.each([
  ["image", {}, /required/],
  ["cpu", { image: "a", cpu: "two" }, /number/],
  ["env", { image: "a", env: "A=b" }, /JSON object/],
  ["command", { image: "a", command: "ls" }, /JSON list/],
])("names the field %s", (field, given, text) => {
  expect(() => schemaFieldsIn(schema, formOf(given as Record<string, string>))).toThrow(
    expect.objectContaining({ message: expect.stringMatching(text), param: field }),
  );
});

it("reads and names fields behind a prefix by their path", () => {
  expect(schemaFieldsIn(schema, formOf({ "spec.image": "a", image: "of another part" }), "spec.")).toEqual({
    image: "a",
  });
  expect(() => schemaFieldsIn(schema, formOf({ image: "a" }), "spec.")).toThrow(
    expect.objectContaining({ param: "spec.image" }),
  );
});
