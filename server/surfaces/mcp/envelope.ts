import { ServiceError } from "../../kernel/errors";
import { fieldPath } from "../../kernel/field-path";
import { findExactNumber } from "../../kernel/find-exact-number";

/**
 * Throws `invalid_request` with the path of a number that a double would change, in what surrounds the arguments of a
 * call, such as its id: a response could not repeat it.
 */
export function assertExactEnvelope(body: unknown): void {
  const messages = Array.isArray(body) ? body : [body];
  for (const [i, message] of messages.entries()) {
    const found = findExactNumber(withoutArguments(message));
    if (!found) continue;
    const param = fieldPath(Array.isArray(body) ? [i, ...found.path] : found.path);
    const expected = `expected a number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}, or text`;
    throw new ServiceError("invalid_request", `${param}: ${expected}.`, { param });
  }
}

function withoutArguments(message: unknown): unknown {
  const { params, ...rest } = (message ?? {}) as { params?: unknown };
  if (typeof params !== "object" || params === null) return { ...rest, params };
  const { arguments: _, ...others } = params as { arguments?: unknown };
  return { ...rest, params: others };
}
