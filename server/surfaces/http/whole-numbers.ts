import type { z } from "zod";
import { ServiceError } from "../../kernel/errors";
import { type JsonSchema, jsonSchemaOf } from "../../operation/json-schema";
import type { Input } from "../../operation/pipeline";

const WHOLE = /^-?(?:0|[1-9]\d*)$/;

/**
 * Checks the whole numbers among the texts of a query and a path: JavaScript would read `1e3`, `0x10`, ` 5`, `+5` and
 * `5.0` as numbers, too. The check throws `invalid_request` with `param`.
 */
export function createNumberCheck(input: z.ZodObject): (sent: Input) => void {
  let names: readonly string[] | undefined;
  return (sent) => {
    names ??= integersOf(input);
    for (const name of names) {
      for (const value of [sent[name]].flat()) {
        if (typeof value !== "string" || WHOLE.test(value)) continue;
        throw new ServiceError("invalid_request", `${name}: expected a whole number in digits, such as 5.`, {
          param: name,
        });
      }
    }
  };
}

const integersOf = (input: z.ZodObject): string[] =>
  Object.entries((jsonSchemaOf(input, "input").properties ?? {}) as Record<string, JsonSchema>)
    .filter(([, { type, anyOf = [] }]) => [type, ...(anyOf as JsonSchema[]).map((one) => one.type)].includes("integer"))
    .map(([name]) => name);
