import { expect, it } from "vitest";
import type { ObjectSchema } from "../../../components/form/field-schema";
import { FieldError, failureOf } from "../../../trpc/failure";
import { draftIn, errorOfJson, objectSchemaOf, specIn } from "./read-spec";

const schema: ObjectSchema = {
  properties: { sku: { type: "string" }, gpu_count: { type: "integer" }, tags: { type: "object" } },
  required: ["sku"],
};

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it("reads a spec from its fields, and from JSON if that is what the form has", () => {
  expect(specIn(formOf({ name: "n", "spec.sku": "H100", "spec.gpu_count": "2" }), schema)).toEqual({
    sku: "H100",
    gpu_count: 2,
  });
  expect(specIn(formOf({ spec: '{"sku":"H200"}', "spec.sku": "H100" }), schema)).toEqual({ sku: "H200" });
  expect(specIn(formOf({ spec: "" }), undefined)).toEqual({});
});

it.each(["[1]", "null", "{", '"text"'])("says at the field that %s is not an object", (spec) => {
  expect(() => specIn(formOf({ spec }), schema)).toThrow(expect.objectContaining({ param: "spec" }));
});

it("goes on in JSON with the fields that can be read", () => {
  expect(draftIn(formOf({ "spec.sku": "", "spec.gpu_count": "two", "spec.tags": '{"a":"b"}' }), schema)).toEqual({
    tags: { a: "b" },
  });
});

it("names the part of the JSON that an error is about, and leaves other errors as they are", () => {
  const { fields } = failureOf(errorOfJson(new FieldError("spec.sku", "Choose a SKU.")));
  expect(fields).toEqual([{ param: "spec", message: "sku: Choose a SKU." }]);
  const other = new FieldError("name", "Fill in this field.");
  expect([errorOfJson(other), errorOfJson(null)]).toEqual([other, null]);
});

it("has fields only for an object with properties", () => {
  expect(objectSchemaOf({ type: "object", properties: {} })).toBeDefined();
  expect(objectSchemaOf({ anyOf: [] })).toBeUndefined();
});
