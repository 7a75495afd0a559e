import { expect, it } from "vitest";
import { platformRows as cloudRows, identityRows } from "../../../test/factories/rows";

const accountRows = identityRows.filter(({ access }) => access !== "public");

const rows = accountRows.map((row) => [row.id, row] as const);

it("names every operation of /v1, and every method and path, once", () => {
  expect(new Set(cloudRows.map(({ id }) => id)).size).toBe(cloudRows.length);
  expect(new Set(cloudRows.map(({ method, path }) => `${method} ${path}`)).size).toBe(cloudRows.length);
});

it.each(rows)("%s has every path parameter as a field of its input, and rejects an unknown field", (_, row) => {
  for (const [, parameter = ""] of row.path.matchAll(/\{(\w+)\}/g)) expect(row.input.shape).toHaveProperty(parameter);
  const issues = row.input.safeParse({ no_such_field: 1 }).error?.issues ?? [];
  expect(issues).toContainEqual(expect.objectContaining({ code: "unrecognized_keys", keys: ["no_such_field"] }));
});

it.each(rows)("%s requires a read scope to read and a write scope to change", (_, row) => {
  const kind = row.method === "GET" ? "read" : "write";
  if (row.id === "getTenant") expect(row.access).toBe("signed_in");
  else expect(row.access).toMatch(new RegExp(`:${kind}$`));
});

it("accepts an Idempotency-Key wherever a lost response would lose something", () => {
  const kept = accountRows.filter(({ idempotent }) => idempotent).map(({ id }) => id);
  expect(kept).toEqual(["createKey", "rotateKey", "createProject"]);
});
