import { expect, it } from "vitest";
import { z } from "zod";
import { platformRows } from "../../../test/factories/rows";

const cloudRows = platformRows.filter(({ product }) => product === "cloud");
const rows = cloudRows.map((row) => [row.id, row] as const);

it.each(rows)("%s has every path parameter as a field of its input, and rejects an unknown field", (_, row) => {
  for (const [, parameter = ""] of row.path.matchAll(/\{(\w+)\}/g)) expect(row.input.shape).toHaveProperty(parameter);
  // OpenAI's fields are passed on, whether svc knows them or not.
  if (row.input.def.catchall instanceof z.ZodUnknown) return expect(row.errors).toBe("openai");
  const issues = row.input.safeParse({ no_such_field: 1 }).error?.issues ?? [];
  expect(issues).toContainEqual(expect.objectContaining({ code: "unrecognized_keys", keys: ["no_such_field"] }));
});

/** They change nothing, or derive what a reader may have; to upload is checked in addition. */
const READING = new Set(["presignObject", "createStorageCredentials", "estimatePod"]);

it.each(rows)("%s requires a read scope to read and a write scope to change", (_, row) => {
  if (row.id === "revealSecret") return expect(row.access).toBe("secrets:reveal");
  const kind = row.isSafe || READING.has(row.id) ? "read" : "write";
  expect(row.access).toMatch(new RegExp(`:${kind}$`));
});

it("only the receive of the specification and a reveal, which is recorded, are GETs that change something", () => {
  expect(cloudRows.filter(({ method, isSafe }) => method === "GET" && !isSafe).map(({ id }) => id)).toEqual([
    "receiveMessages",
    "revealSecret",
  ]);
});

it("names as required only fields that the input has", () => {
  for (const { requiresOneOf = [], input } of cloudRows) {
    for (const name of requiresOneOf) expect(input.shape).toHaveProperty(name);
  }
});
