import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "../../server/surfaces/trpc/router";

/** What a page shows of a failed call. */
export interface Failure {
  code: string;
  message: string;
  /** The specific cause: `details.reason` of the API. */
  reason?: string;
  requestId?: string;
  /** The invalid fields, by their names in the input. */
  fields: { param: string; message: string }[];
}

const OFFLINE: Failure = {
  code: "offline",
  message: "The server could not be reached. Check the connection and try again.",
  fields: [],
};

/** The failure behind any error that a query or mutation threw. */
export function failureOf(error: unknown): Failure {
  if (error instanceof FieldError) {
    return {
      code: "invalid_request",
      message: error.message,
      fields: [error, ...error.others].map(({ param, message }) => ({ param, message })),
    };
  }
  const body = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.failure : undefined;
  if (!body) return OFFLINE;
  const { code, param, fields, details, request_id: requestId } = body;
  const message = body.message.replaceAll(/`([^`]+)`/g, "“$1”");
  const fieldErrors = fields ?? (param ? [{ param, message }] : []);
  return {
    code,
    message,
    requestId,
    ...(typeof details?.reason === "string" ? { reason: details.reason } : {}),
    fields: fieldErrors.map((field) => ({ ...field, message: fieldMessage(field.param, field.message) })),
  };
}

const WIRE_NAME = /\b([a-z]+(?:_[a-z]+)*)_(?:micros|at|url|id)\b/g;

/**
 * An API message as a form shows it: without the field's name at the start, and with "daily_budget_micros" written as "daily budget".
 */
function fieldMessage(param: string, message: string): string {
  const bound = rangeMessage(param, message);
  if (bound) return bound;
  const rest = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message;
  const words = rest.replace(WIRE_NAME, (_, name: string) => name.replaceAll("_", " "));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const BOUND = /expected a number of at (least|most) (-?\d+)/;

/** A readable message for an empty text or a number out of range; forms take money in units, not in micros. */
function rangeMessage(param: string, message: string): string | undefined {
  if (/expected a whole number\.$/.test(message)) return "Enter a whole number.";
  if (/expected at least one character/.test(message)) return "Fill in this field.";
  const [, side, bound] = BOUND.exec(message) ?? [];
  if (!side || !bound) return undefined;
  if (param.endsWith("_micros")) return side === "least" ? "Enter an amount above 0." : "Enter a smaller amount.";
  return side === "least" ? `Enter ${bound} or more.` : `Enter ${bound} or less.`;
}

/** A field error that the page detects before it calls the server. */
export class FieldError extends Error {
  constructor(
    readonly param: string,
    message: string,
    /** Of other fields of the same form. */
    readonly others: readonly FieldError[] = [],
  ) {
    super(message);
  }
}
