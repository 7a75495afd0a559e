import { expect, it } from "vitest";
import { accountRows } from "./account-rows";
import { cloudRows } from "./cloud-rows";

const rows = accountRows.map((row) => [row.id, row] as const);

it("names every operation of /v1, and every method and path, once", () => {
  expect(new Set(cloudRows.map(({ id }) => id)).size).toBe(cloudRows.length);
  expect(new Set(cloudRows.map(({ method, path }) => `${method} ${path}`)).size).toBe(cloudRows.length);
});

it.each(rows)("%s has every path parameter as a field of its input, and refuses a field it does not know", (_, row) => {
  for (const [, parameter = ""] of row.path.matchAll(/\{(\w+)\}/g)) expect(row.input.shape).toHaveProperty(parameter);
  const issues = row.input.safeParse({ no_such_field: 1 }).error?.issues ?? [];
  expect(issues).toContainEqual(expect.objectContaining({ code: "unrecognized_keys", keys: ["no_such_field"] }));
});

it.each(rows)("%s asks to read where it reads and to write where it changes", (_, row) => {
  const kind = row.method === "GET" ? "read" : "write";
  if (row.id === "getTenant") expect(row.access).toBe("signed_in");
  else expect(row.access).toMatch(new RegExp(`:${kind}$`));
});

it("takes an Idempotency-Key wherever an answer that gets lost would lose something", () => {
  const kept = accountRows.filter(({ idempotent }) => idempotent).map(({ id }) => id);
  expect(kept).toEqual(["createKey", "rotateKey", "createProject"]);
});
