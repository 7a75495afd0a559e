import { TRPCClientError } from "@trpc/client";
import type { AppRouter } from "../../server/trpc/router";

/** What a page can tell about a failure. */
export interface Failure {
  code: string;
  message: string;
  requestId?: string;
  /** The refused fields, each by its name in the input. */
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
      fields: [{ param: error.param, message: error.message }],
    };
  }
  const sent = error instanceof TRPCClientError ? (error as TRPCClientError<AppRouter>).data?.failure : undefined;
  if (!sent) return OFFLINE;
  const { code, param, fields, request_id: requestId } = sent;
  const message = sent.message.replaceAll(/`([^`]+)`/g, "“$1”");
  const placed = fields ?? (param ? [{ param, message }] : []);
  return {
    code,
    message,
    requestId,
    fields: placed.map((field) => ({ ...field, message: besideField(field.param, field.message) })),
  };
}

const WIRE_NAME = /\b([a-z]+(?:_[a-z]+)*)_(?:micros|at|url|id)\b/g;

/**
 * A sentence of the API as a form shows it: "name: expected text." need not name its field again, and
 * "daily_budget_micros" is what the form calls the daily budget.
 */
function besideField(param: string, message: string): string {
  const bound = boundOf(param, message);
  if (bound) return bound;
  const rest = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message;
  const words = rest.replace(WIRE_NAME, (_, name: string) => name.replaceAll("_", " "));
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const BOUND = /expected a number of at (least|most) (-?\d+)/;

/** What a schema says of an empty text or of a number out of its range, in words; money is typed in units, not in micros. */
function boundOf(param: string, message: string): string | undefined {
  if (/expected a whole number\.$/.test(message)) return "Type a whole number.";
  if (/expected at least one character/.test(message)) return "Fill in this field.";
  const [, side, bound] = BOUND.exec(message) ?? [];
  if (!side || !bound) return undefined;
  if (param.endsWith("_micros")) return side === "least" ? "Type an amount above 0." : "Type a smaller amount.";
  return side === "least" ? `Type ${bound} or more.` : `Type ${bound} or less.`;
}

/** A field that the page itself found wrong before asking the server. */
export class FieldError extends Error {
  constructor(
    readonly param: string,
    message: string,
  ) {
    super(message);
  }
}
