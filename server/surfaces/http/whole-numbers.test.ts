import { expect, it } from "vitest";
import { platformRows } from "../../../test/factories/rows";
import { jsonSchemaOf } from "../../operation/json-schema";
import { createInputReader } from "./read-input";

/** Every whole number that a query or a path of the platform API has. */
const FIELDS = platformRows.flatMap((row) => {
  if (row.method !== "GET" && row.method !== "DELETE") return [];
  const { properties = {} } = jsonSchemaOf(row.input, "input") as { properties?: Record<string, { type?: string }> };
  const names = Object.entries(properties).filter(([, { type }]) => type === "integer");
  return names.map(([name]) => [`${row.id} ${name}`, row, name] as const);
});

it("finds them", () => {
  expect(FIELDS.length).toBeGreaterThan(40);
});

it.each(FIELDS)("%s takes digits alone", async (_, row, name) => {
  const read = createInputReader({ ...row, operation: row } as unknown as Parameters<typeof createInputReader>[0]);
  const isInPath = row.path.includes(`{${name}}`);
  const params = Object.fromEntries([...row.path.matchAll(/\{(\w+)\}/g)].map(([, one = ""]) => [one, "x"]));
  for (const text of ["1e1", "0x10", " 5", "5 ", "+5", "5.0", "05", "", "five", "1_0", "٥"]) {
    const query = isInPath ? "" : `?${new URLSearchParams({ [name]: text })}`;
    const request = new Request(`http://svc.example/${query}`, { method: row.method });
    const sent = isInPath ? { ...params, [name]: text } : params;
    await expect(read(request, sent), JSON.stringify(text)).rejects.toMatchObject({
      code: "invalid_request",
      param: name,
    });
  }
});
