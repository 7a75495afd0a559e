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
  const { code, message, param, fields, request_id: requestId } = sent;
  const placed = fields ?? (param ? [{ param, message }] : []);
  return {
    code,
    message,
    requestId,
    fields: placed.map((field) => ({ ...field, message: besideField(field.param, field.message) })),
  };
}

/** Beside its field a sentence need not name the field again: "name: expected text." becomes "Expected text." */
function besideField(param: string, message: string): string {
  const rest = message.startsWith(`${param}: `) ? message.slice(param.length + 2) : message;
  return rest.charAt(0).toUpperCase() + rest.slice(1);
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
