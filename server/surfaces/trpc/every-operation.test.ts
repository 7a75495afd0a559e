import { describe, expect, it } from "vitest";
import { z } from "zod";
import { offersRows, orderRows, platformRows } from "../../../test/factories/rows";
import type { AnyOperation } from "../../operation/operation";
import { appRouter } from "./router";

type Procedures = Record<string, { _def: { type: "query" | "mutation"; meta: { operation: AnyOperation } } }>;
const procedures = Object.entries(appRouter._def.procedures as unknown as Procedures);
const called = procedures.map(([, { _def }]) => _def.meta.operation);
const routed: AnyOperation[] = [...platformRows, ...orderRows, ...offersRows];
const operations = [...new Map([...routed, ...called].map((one) => [one.id, one])).values()];

describe.each(operations.map((one) => [one.id, one] as const))("%s", (_, { input, output, example, ...operation }) => {
  it("has a valid example of its input and output", () => {
    expect(input.strict().safeParse(example.input).error).toBeUndefined();
    const strict = output instanceof z.ZodObject && operation.result !== "none" ? output.strict() : output;
    expect(strict.safeParse(example.output).error).toBeUndefined();
  });

  it("has a sentence that says what it does", () => {
    expect(operation.summary).toMatch(/^[A-Z].*[^.]$/);
  });
});

it("has one id for each operation, on every surface", () => {
  const runs = new Map<string, unknown>();
  for (const { id, run } of [...routed, ...called]) {
    expect(runs.get(id) ?? run, id).toBe(run);
    runs.set(id, run);
  }
  expect(procedures.map(([name]) => name)).toEqual(called.map(({ id }) => id));
});

it("is called by the dashboard, unless it is of session tokens or its result may be no JSON", () => {
  const names = new Set(procedures.map(([name]) => name));
  const closed = [...platformRows, ...orderRows].filter(
    ({ id, mayStream, streams, path }) =>
      path.startsWith("/v1/auth/") || ((mayStream || streams) && id !== "createChatCompletion"),
  );
  const absent = [...platformRows, ...orderRows].filter(({ id }) => !names.has(id));
  expect(absent.map(({ id }) => id)).toEqual(closed.map(({ id }) => id));
});

it("is open to no session with the credentials of publishers, offers or pixels", () => {
  const keys = ["channel_key", "offer_id", "pixel_token"];
  expect(called.filter(({ access }) => keys.includes(access)).map(({ id }) => id)).toEqual([]);
});

it("is a query if its endpoint is safe, and a mutation otherwise", () => {
  const types = new Map(procedures.map(([name, { _def }]) => [name, _def.type]));
  for (const { id, isSafe } of [...platformRows, ...orderRows]) {
    if (types.has(id)) expect([id, types.get(id)]).toEqual([id, isSafe ? "query" : "mutation"]);
  }
});

it("changes nothing in a query, and requires more than signed_in for what only people may do", () => {
  const changing = procedures.filter(
    ([, { _def }]) => _def.type === "query" && /:write$/.test(_def.meta.operation.access),
  );
  expect(changing.map(([path]) => path)).toEqual([]);
});
