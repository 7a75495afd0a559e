import type { z } from "zod";
import { inputFailure } from "../kernel/input-failure";

/**
 * Returns the output of the schema; throws `invalid_request` with the path of the first invalid field, such as
 * `signals[0].confidence`.
 */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw inputFailure(parsed.error);
}
