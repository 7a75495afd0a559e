import type { z } from "zod";
import { ServiceError } from "../kernel/errors";

/** The schema's output, or `invalid_request` that names the first offending field as a path such as `signals[0].confidence`. */
export function parseInput<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw zodFailure(parsed.error);
}

export function zodFailure(error: z.ZodError): ServiceError {
  const issue = error.issues[0];
  if (!issue) return new ServiceError("invalid_request", "The request is not valid.");
  if (issue.code === "unrecognized_keys") {
    const param = fieldPath([...issue.path, issue.keys[0] ?? ""]);
    return new ServiceError("invalid_request", `${param}: this field is not known here; leave it out.`, { param });
  }
  const param = fieldPath(issue.path);
  return new ServiceError("invalid_request", `${param || "body"}: ${issue.message}.`.replace(/\.\.$/, "."), {
    param: param || "body",
  });
}

function fieldPath(path: readonly PropertyKey[]): string {
  let text = "";
  for (const part of path) text += typeof part === "number" ? `[${part}]` : `${text ? "." : ""}${String(part)}`;
  return text.slice(0, 200);
}
