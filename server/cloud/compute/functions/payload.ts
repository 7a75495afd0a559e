import { z } from "zod";
import type { Json } from "../../../identity/stored-json";
import { ServiceError } from "../../../kernel/errors";
import { type ExactNumber, exactJson } from "../../../kernel/exact-number";
import { fieldPath } from "../../../kernel/field-path";
import { findExactNumber } from "../../../kernel/find-exact-number";
import type { RunsIn } from "./function-runner";

/** Any JSON value; a body without it calls the function with null. */
export const Payload = z
  .union([z.record(z.string(), z.unknown()), z.array(z.unknown()), z.string(), z.number(), z.boolean(), z.null()])
  .describe("A JSON value of at most 1 MiB, which the function receives; default null") as z.ZodType<Json>;

/** More digits are more than Python reads. */
const PYTHON_INTEGER = /^-?\d{1,4000}$/;

/**
 * The JSON of a payload, which is at the path `param` of the input. Throws `invalid_request` with the path of a number
 * that the language of the function would read as another one: beyond 2^53 in JavaScript; Python reads all integers.
 */
export function payloadText(payload: Json, { runtime }: Pick<RunsIn, "runtime">, param = "payload"): string {
  const isPython = runtime === "python";
  const isMisread = ({ text }: ExactNumber) => !isPython || !PYTHON_INTEGER.test(text);
  const found = findExactNumber(payload, isMisread);
  if (!found) return exactJson(payload);
  const path = fieldPath([param, ...found.path]);
  throw new ServiceError(
    "invalid_request",
    `${path}: ${isPython ? "Python" : "JavaScript"} reads ${found.number.text.slice(0, 80)} as another number; send it as text.`,
    { param: path },
  );
}
