import { z } from "zod";
import { sizeIssue } from "../../../kernel/bounded-input";
import { parseExact } from "../../../kernel/exact-number";
import { createRedactor } from "../../data/secrets/redactor";
import { RESULT_BYTES_MAX } from "./function-fields";
import type { Outcome } from "./function-runner";
import { Invocation, type InvocationError } from "./invocation";

const LINES_MAX = 5000;
/** Deeper values cannot be written as JSON again. */
const RESULT_LIMITS = { depth: 100, nodes: 200_000, bytes: 2 * RESULT_BYTES_MAX };

/** The code of the tenant can write all of it. */
const Reply = z.object({
  logs: z.array(Invocation.shape.logs.element).max(LINES_MAX).catch([]),
  result: z.string().optional(),
  error: z.object({ message: z.string(), stack: z.string().nullable() }).optional(),
});

/** What the worker of a function returned, without the values of secrets. */
export function readOutcome(text: string, secrets: readonly string[]): Omit<Outcome, "durationMs"> {
  const { redact } = createRedactor(secrets);
  const reply = Reply.safeParse(parsed(redact(text)));
  if (!reply.success) return failedOutcome(invalid("The code replaced the response of its function."));
  const { logs, result, error } = reply.data;
  if (error) return { logs, error: { reason: "threw", ...error } };
  const issue = resultIssue(result ?? "null");
  return issue === undefined ? { logs, result: result ?? "null" } : { logs, error: withoutStack(issue) };
}

/** The outcome of a run without a response. */
export function failedOutcome(error: Omit<InvocationError, "stack">, secrets: readonly string[] = []): Outcome {
  const message = createRedactor(secrets).redact(error.message);
  return { logs: [], error: withoutStack({ ...error, message }), durationMs: 0 };
}

function resultIssue(result: string): Omit<InvocationError, "stack"> | undefined {
  if (Buffer.byteLength(result) > RESULT_BYTES_MAX)
    return { reason: "response_too_large", message: `The result has more than ${RESULT_BYTES_MAX} bytes.` };
  const value = parsed(result);
  if (value === undefined) return invalid("The result is no JSON value.");
  const issue = sizeIssue(value, RESULT_LIMITS);
  return issue && invalid(`The result ${issue.message}.`);
}

/** undefined for text that is no JSON. */
function parsed(text: string): unknown {
  try {
    return parseExact(text);
  } catch {
    return undefined;
  }
}

const invalid = (message: string) => ({ reason: "invalid_result", message });

const withoutStack = (error: Omit<InvocationError, "stack">): InvocationError => ({ ...error, stack: null });
