import { expect, it } from "vitest";
import { type ContractDocument, contractText } from "./contract-text";

const schema = { type: "object", required: ["id"], properties: { id: { type: "string", maxLength: 9 } } };
const get = {
  operationId: "getThing",
  summary: "Get a thing",
  tags: ["Some things"],
  security: [{ bearer: ["things:read"] }],
  parameters: [{ name: "id", in: "path", required: true, schema: { type: "string", maxLength: 9 } }],
  responses: {
    "200": { content: { "application/json": { schema: { $ref: "#/components/schemas/Thing" } } } },
    "404": {},
  },
};
const documentOf = (operation: object): ContractDocument =>
  ({
    openapi: "3.1.0",
    paths: { "/v1/things/{id}": { get: operation } },
    components: { schemas: { Thing: schema } },
  }) as never;
const linesOf = (operation: object) =>
  (contractText(documentOf(operation))["some-things.txt"] ?? "").trim().split("\n");

it("has a line for an operation, for each of its fields and for each field of a schema", () => {
  const files = contractText(documentOf(get));
  expect(Object.keys(files)).toEqual(["some-things.txt", "components.txt"]);
  expect(files["some-things.txt"]).toMatch(
    /^GET \/v1\/things\/\{id\} getThing \(bearer things:read\) 200 404 #\w{12}\n {2}path id\* string \.\.9\n {2}200 Thing\n$/,
  );
  expect(files["components.txt"]).toMatch(/^document #\w{12}\nThing #\w{12}\n {2}id\* string \.\.9\n$/);
});

it("any change of what the document says changes a line, also one of a text that no line shows", () => {
  const lines = linesOf(get);
  const [renamed] = linesOf({ ...get, summary: "Get a thing by its id" });
  expect(renamed).not.toBe(lines[0]);
  expect(renamed?.replace(/#\w+$/, "")).toBe(lines[0]?.replace(/#\w+$/, ""));
  const body = { required: true, content: { "application/json": { schema: { ...schema, required: [] } } } };
  expect(linesOf({ ...get, requestBody: body }).slice(1)).toEqual([lines[1], "  body* id string ..9", lines[2]]);
});
