import type { ErrorCode, ServiceError } from "../../../kernel/errors";
import type { ParsedExport } from "./parse-export";

/** What the thread of otlp-worker.ts sends for a request. */
export type FromOtlpThread = { parsed: ParsedExport } | { refusal: Refusal };

/** A ServiceError as a message can carry it. */
export interface Refusal {
  code: ErrorCode;
  message: string;
  param: string | undefined;
  details: Record<string, unknown> | undefined;
}

export const refusalOf = ({ code, message, param, details }: ServiceError): Refusal => ({
  code,
  message,
  param,
  details,
});
