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
  return { code, message, requestId, fields: fields ?? (param ? [{ param, message }] : []) };
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
