import { expect, it } from "vitest";
import { adsManagementRows } from "./ads-management.rows";

const rows = adsManagementRows.map((row) => [row.id, row] as const);

it("names every operation and every method and path once", () => {
  expect(new Set(adsManagementRows.map(({ id }) => id)).size).toBe(adsManagementRows.length);
  expect(new Set(adsManagementRows.map(({ method, path }) => `${method} ${path}`)).size).toBe(adsManagementRows.length);
});

it.each(rows)("%s has every path parameter as a field of its input", (_, row) => {
  for (const [, parameter = ""] of row.path.matchAll(/\{(\w+)\}/g)) expect(row.input.shape).toHaveProperty(parameter);
});

it.each(rows)("%s asks for the scope that its method calls for", (_, row) => {
  expect(row.access).toBe(row.method === "GET" ? "ads:read" : "ads:write");
});

it.each(rows.filter(([, row]) => row.id !== "getReport"))("%s refuses a field it does not know", (_, row) => {
  const issues = row.input.safeParse({ no_such_field: 1 }).error?.issues ?? [];
  expect(issues).toContainEqual(expect.objectContaining({ code: "unrecognized_keys", keys: ["no_such_field"] }));
});

it("offers every verb of every noun", () => {
  expect(adsManagementRows.map(({ method, path }) => `${method} ${path}`).sort()).toMatchInlineSnapshot();
});
