import { stringifyJson } from "../exact-json";
import { SvcError } from "../platform-client";
import { ResponseError } from "../response-error";
import type { Io, Output } from "./io";
import { printTable } from "./print-table";
import { cellText } from "./terminal-text";

export const EXIT = { ok: 0, refused: 1, usage: 2, notLoggedIn: 3, unavailable: 4, limited: 5 } as const;

/** Invalid usage; `hint` says where to read more. */
export class UsageError extends Error {
  readonly hint: string | undefined;

  constructor(problems: string | readonly string[], hint?: string) {
    super([problems].flat().join("\n"));
    this.name = "UsageError";
    this.hint = hint;
  }
}

/** There is no key to call with. */
export class NotLoggedIn extends Error {
  override readonly name = "NotLoggedIn";
}

/** Reports on standard error why a command failed, and returns its exit status. Unexpected errors are rethrown. */
export function report(failure: unknown, { stderr }: Io, asJson: boolean): number {
  if (failure instanceof UsageError) {
    stderr.write(`svc: ${failure.message.replaceAll("\n", "\n     ")}\n`);
    if (failure.hint) stderr.write(`${failure.hint}\n`);
    return EXIT.usage;
  }
  if (failure instanceof NotLoggedIn) {
    stderr.write(`svc: ${failure.message}\n`);
    return EXIT.notLoggedIn;
  }
  if (isSystemError(failure)) {
    stderr.write(`svc: ${failure.message}\n`);
    return EXIT.usage;
  }
  if (!(failure instanceof SvcError || failure instanceof ResponseError)) throw failure;
  if (asJson) stderr.write(`${stringifyJson(bodyOf(failure), 2)}\n`);
  else printFailure(failure, stderr);
  return exitOf(failure);
}

/** A system error, such as a missing permission or a full disk; Node's message is sufficient. */
const isSystemError = (failure: unknown): failure is Error => failure instanceof Error && "syscall" in failure;

function exitOf({ code, status }: SvcError | ResponseError): number {
  if (code === "unauthorized" || status === 401) return EXIT.notLoggedIn;
  if (code === "rate_limited" || code === "quota_exceeded") return EXIT.limited;
  if (status === 429) return EXIT.limited;
  return status === 0 || status >= 500 || code === "unreadable" ? EXIT.unavailable : EXIT.refused;
}

function bodyOf(failure: SvcError | ResponseError): object {
  const { code, requestId: request_id, param, retry_after } = failure;
  const { reason: message = failure.message, details } = factsOf(failure);
  return { error: { code, message, request_id, param, retry_after, details } };
}

/** What only svc's own error body has. */
const factsOf = (failure: SvcError | ResponseError): Partial<Pick<SvcError, "reason" | "details">> =>
  failure instanceof SvcError ? { reason: failure.reason, details: failure.details } : {};

/** A failure with its facts; the rejected lines of a feed follow as a table. */
function printFailure(failure: SvcError | ResponseError, stderr: Output): void {
  const { errors, warnings, ...details } = factsOf(failure).details ?? {};
  stderr.write(errorText(failure, details));
  const lines: unknown = errors;
  if (Array.isArray(lines) && lines.length > 0) {
    stderr.write("\n");
    printTable({ stdout: stderr, width: Number.POSITIVE_INFINITY, bold: (text) => text }, lines, LINE_COLUMNS);
  }
}

const LINE_COLUMNS = ["line", "id", "code", "message"];

function errorText(failure: SvcError | ResponseError, details: object): string {
  const { code, status, param, requestId, retry_after } = failure;
  const facts = [
    ["field", param],
    ["code", status === 0 ? code : `${code} (${status})`],
    ["details", Object.keys(details).length > 0 ? stringifyJson(details) : undefined],
    ["retry after", retry_after === undefined ? undefined : `${retry_after} s`],
    ["request", requestId],
    ["try", ADVICE[code]],
  ].filter(([, value]) => value !== undefined);
  const lines = facts.map(([name = "", value]) => `  ${name.padEnd(11)} ${value}\n`);
  return `svc: ${cellText(factsOf(failure).reason ?? failure.message)}\n${lines.join("")}`;
}

const ADVICE: Readonly<Record<string, string>> = {
  unauthorized: "svc login, or another key in SVC_API_KEY",
  forbidden: "svc whoami, and a key that has the scope",
  quota_exceeded: "svc quotas list; an operator can raise a quota",
  network: "checking --base-url or SVC_BASE_URL, and whether svc is running",
  timeout: "again later, or with a longer timeout: --timeout 60",
  unreadable: "checking --base-url or SVC_BASE_URL: the response is not from svc",
};
