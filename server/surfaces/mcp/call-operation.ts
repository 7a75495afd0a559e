import { boundedInput, INPUT_LIMITS } from "../../kernel/bounded-input";
import { ServiceError } from "../../kernel/errors";
import { exactJson, parseExact } from "../../kernel/exact-number";
import type { AnyOperation } from "../../operation/operation";
import { parseInput } from "../../operation/parse-input";
import { type Input, runCall } from "../../operation/pipeline";
import { Reply } from "../../operation/reply";
import type { Tool } from "../../operation/tool";
import type { Exchange, McpParts } from "./exchange";

/** The output of an operation, and the same as JSON. */
export interface OperationResult {
  status: number;
  body: string;
  value: unknown;
  /** A call with the same Idempotency-Key did the work earlier. */
  isReplay?: true;
}

interface OperationCall {
  operation: AnyOperation;
  /** Names the call for its Idempotency-Key. */
  name: string;
  readInput: () => { sent: Input; input: Input };
  signal: AbortSignal;
  idempotencyKey?: string | undefined;
}

/** Runs an operation through the pipeline. */
export function callOperation(parts: McpParts, exchange: Exchange, call: OperationCall): Promise<OperationResult> {
  const { operation, name, readInput, signal, idempotencyKey } = call;
  const { toolPipeline } = parts;
  const countCall = () => Promise.resolve(exchange.limits);
  return runCall(
    { ...toolPipeline, countCall },
    {
      authenticate: () => exchange.caller,
      meta: exchange.meta,
      target: operation,
      readInput: () => Promise.resolve(readInput()),
      options: { signal },
      respond: answerOf,
      idempotency: operation.idempotent && {
        header: idempotencyKey ?? null,
        route: `MCP ${name}`,
        replay: (kept) => {
          if ("refusal" in kept) throw kept.refusal;
          const { status, body, isReplay } = kept;
          return { status, body, value: parseExact(body), ...(isReplay && { isReplay: true as const }) };
        },
      },
    },
  );
}

/** The input of a tool's operation, for arguments as the agent sent them. Errors name the argument. */
export function toolInput(tool: Tool, given: unknown): { sent: Input; input: Input } {
  const sent = boundedInput(given ?? {}, tool.operation.inputLimits ?? INPUT_LIMITS);
  parseInput(tool.arguments, sent);
  const asked = tool.toInput(sent as Record<string, unknown>);
  try {
    return { sent: sent as Input, input: parseInput(tool.operation.input, asked) as Input };
  } catch (failure) {
    throw failure instanceof ServiceError ? withArgumentName(failure, tool) : failure;
  }
}

/** Operations throw errors under the names of their own fields. */
export function withArgumentName(failure: ServiceError, { renamed }: Tool): ServiceError {
  const [argument, field] = Object.entries(renamed).find(([, path]) => isWithin(failure.param ?? "", path)) ?? [];
  if (field === undefined || argument === undefined) return failure;
  const named = (text: string) => (text.startsWith(field) ? argument + text.slice(field.length) : text);
  const { code, message, param = "", details, retryAfterSeconds } = failure;
  return new ServiceError(code, named(message), {
    param: named(param),
    ...(details && { details }),
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  });
}

/** Whether a path such as `spec.tags.a` is `spec.tags` or a part of it. */
const isWithin = (path: string, field: string): boolean =>
  path.startsWith(field) && [undefined, ".", "["].includes(path[field.length]);

function answerOf(result: unknown): OperationResult {
  if (result instanceof Reply) {
    const { text } = result;
    if (text === undefined) throw new ServiceError("internal", "A tool cannot return a stream.");
    return { status: 200, body: text, value: parseExact(text) };
  }
  const value = result ?? null;
  return { status: 200, body: exactJson(value), value };
}
