import { expect, it } from "vitest";
import type { Tool } from "./call-endpoint";
import { readToolArguments } from "./read-tool-arguments";

const tool: Tool = {
  ...{ name: "svc_pods_create", title: "", description: "" },
  annotations: { readOnlyHint: false, destructiveHint: false },
  inputSchema: {
    required: ["image"],
    properties: {
      image: { type: "string" },
      gpu: { type: "boolean" },
      cpu: { type: "integer" },
      env: { type: "object" },
      command: { type: "array" },
      body: {},
    },
  },
};

function formOf(fields: Record<string, string>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

it("reads each argument in the type of its schema, and leaves out empty ones", () => {
  const given = { image: "alpine:3", gpu: "false", cpu: " 2 ", env: '{"A":"b"}', command: '["ls"]', body: "plain" };
  expect(readToolArguments(tool, formOf(given))).toEqual({
    ...{ image: "alpine:3", gpu: false, cpu: 2, env: { A: "b" }, command: ["ls"], body: "plain" },
  });
  expect(readToolArguments(tool, formOf({ image: "a", body: '{"n":1}', cpu: " " }))).toEqual({
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
  expect(() => readToolArguments(tool, formOf(given as Record<string, string>))).toThrow(
    expect.objectContaining({ message: expect.stringMatching(text), param: field }),
  );
});
