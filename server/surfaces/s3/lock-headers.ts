import type { LockChoice, NewLock, ObjectVersion, RetentionMode } from "../../cloud/data/objects/objects";
import { mayCall } from "./assert-access";
import type { ObjectCall, S3Call } from "./s3-call";
import { S3Error } from "./s3-error";

type Headers = ReadonlyMap<string, string>;

const [MODE, UNTIL, HOLD] = [
  "x-amz-object-lock-mode",
  "x-amz-object-lock-retain-until-date",
  "x-amz-object-lock-legal-hold",
];

const MODES: Readonly<Record<string, RetentionMode>> = { GOVERNANCE: "governance", COMPLIANCE: "compliance" };

/** The mode that S3 gives this name; undefined if there is none. */
export const modeNamed = (name: string): RetentionMode | undefined =>
  Object.hasOwn(MODES, name) ? MODES[name] : undefined;

export const modeText = (mode: RetentionMode): string => mode.toUpperCase();

export const holdText = (legalHold: boolean): "ON" | "OFF" => (legalHold ? "ON" : "OFF");

/** A date of ISO 8601 of the years 0 to 9999, with a time and its zone or without both, in milliseconds since 1970. */
export function timeOf(text: string): number | undefined {
  const time = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/.test(text)
    ? Date.parse(text)
    : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** The lock that a request asks for a new object. Throws `InvalidArgument`. */
export function askedLock(headers: Headers): { lock?: NewLock } {
  const [mode, until, hold] = [headers.get(MODE), headers.get(UNTIL), headers.get(HOLD)];
  if (mode === undefined && until === undefined && hold === undefined) return {};
  if (hold !== undefined && hold !== "ON" && hold !== "OFF") throw invalid(HOLD, "must be ON or OFF");
  return {
    lock: { ...retentionOf(mode, until), ...(hold !== undefined && { legalHold: hold === "ON" }) },
  };
}

function retentionOf(mode: string | undefined, until: string | undefined): Pick<NewLock, "retention"> {
  if (mode === undefined && until === undefined) return {};
  if (mode === undefined || until === undefined) {
    throw new S3Error("InvalidArgument", `${UNTIL} and ${MODE} must both be supplied.`);
  }
  const [named, time] = [modeNamed(mode), timeOf(until)];
  if (!named) throw invalid(MODE, "must be GOVERNANCE or COMPLIANCE");
  if (time === undefined) throw invalid(UNTIL, "must be a date of ISO 8601, such as 2030-01-01T00:00:00Z");
  return { retention: { mode: named, until: time } };
}

const invalid = (name: string, what: string): S3Error => new S3Error("InvalidArgument", `${name} ${what}.`);

/** As S3, a put that locks its object says what its bytes are. Throws `InvalidRequest`. */
export function assertDigest({ lock }: { lock?: NewLock }, headers: Headers): void {
  const isChecksum = (name: string) => /^x-amz-checksum-(crc|sha)/.test(name);
  if (!lock || headers.has("content-md5") || headers.has("x-amz-trailer") || [...headers.keys()].some(isChecksum))
    return;
  throw new S3Error(
    "InvalidRequest",
    "Content-MD5 or an x-amz-checksum- header is required for Put Object requests with Object Lock parameters.",
  );
}

/** The lock of a version, as far as the caller may see it. */
export async function lockHeaders(
  call: ObjectCall,
  { retention, legalHold }: Pick<ObjectVersion, "retention" | "legalHold">,
): Promise<Record<string, string>> {
  const headers: Record<string, string> = {};
  if (retention && (await mayCall(call, "GetObjectRetention"))) {
    headers[MODE] = modeText(retention.mode);
    headers[UNTIL] = new Date(retention.until).toISOString();
  }
  if (legalHold !== undefined && (await mayCall(call, "GetObjectLegalHold"))) headers[HOLD] = holdText(legalHold);
  return headers;
}

/** A request as if it had these headers, so that the conditions of a policy see what its body asks for. */
export function withLock<C extends S3Call>(call: C, { retention, legalHold }: LockChoice): C {
  const headers = new Map(call.request.headers);
  if (retention) headers.set(MODE, modeText(retention.mode)).set(UNTIL, new Date(retention.until).toISOString());
  if (legalHold !== undefined) headers.set(HOLD, holdText(legalHold));
  return { ...call, request: { ...call.request, headers } };
}
