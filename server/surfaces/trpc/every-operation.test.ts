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
});

it("changes nothing in a query, and requires more than signed_in for what only people may do", () => {
  const changing = procedures.filter(
    ([, { _def }]) => _def.type === "query" && /:write$/.test(_def.meta.operation.access),
  );
  expect(changing.map(([path]) => path)).toEqual([]);
});
