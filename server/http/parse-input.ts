import type { z } from "zod";
import { inputFailure } from "../kernel/input-failure";

/** The schema's output, or `invalid_request` that names the first offending field as a path such as `signals[0].confidence`. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw inputFailure(parsed.error);
}
