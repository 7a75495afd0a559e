import { WebhookVerificationError } from "./webhook-error";
import type { Scheme } from "./webhook-signature";

/** Headers as `fetch` has them, as Node has them (`request.headers`), or a plain object with names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What the headers of a delivery claim. */
export interface Claim {
  scheme: Scheme;
  /** Only in the scheme of Standard Webhooks. */
  id: string;
  /** Unix seconds, as sent. */
  timestamp: string;
  /** Without the version; at least one. */
  signatures: readonly string[];
}

/** svc sends two at most, during a rotation; the limits bound the work for anybody else's headers. */
const SIGNATURES_MAX = 16;
const HEADER_LENGTH_MAX = 4096;
const TIMESTAMP = /^\d{1,12}$/;
/** Without a full stop, which separates the parts of the signed text. */
const ID = /^[^\s.]{1,256}$/;
const HEX_SHA256 = /^[0-9a-f]{64}$/;
const BASE64_SHA256 = /^[A-Za-z0-9+/]{43}=$/;

/** Reads the headers of svc, or those of Standard Webhooks if only they are there. @throws WebhookVerificationError */
export function readClaim(headers: WebhookHeaders): Claim {
  const read = headerReader(headers);
  const isSvc = ["x-svc-signature", "x-svc-timestamp"].some((name) => read(name) !== undefined);
  const isStandard = ["webhook-signature", "webhook-timestamp", "webhook-id"].some((name) => read(name) !== undefined);
  return isStandard && !isSvc ? standardClaim(read) : svcClaim(read);
}

type Reader = (name: string) => string | undefined;

function svcClaim(read: Reader): Claim {
  const signature = required(read, "X-SVC-Signature");
  const timestamp = required(read, "X-SVC-Timestamp");
  const parts = signature.split(",").map((part) => part.trim().split("="));
  const valuesOf = (name: string): string[] =>
    parts.filter(([own]) => own === name).map(([, ...rest]) => rest.join("="));
  const times = valuesOf("t");
  if (times.length !== 1) throw malformed("X-SVC-Signature must have exactly one t=<Unix seconds>.");
  if (times[0] !== timestamp) throw malformed("X-SVC-Timestamp differs from t of X-SVC-Signature.");
  const signatures = checked(valuesOf("v1"), { name: "X-SVC-Signature", shape: HEX_SHA256, expected: "v1=<64 hex>" });
  return { scheme: "svc", id: "", timestamp: checkedTime(timestamp, "X-SVC-Timestamp"), signatures };
}

function standardClaim(read: Reader): Claim {
  const id = required(read, "webhook-id");
  const timestamp = required(read, "webhook-timestamp");
  const signature = required(read, "webhook-signature");
  if (!ID.test(id)) throw malformed("webhook-id must be up to 256 characters without spaces and full stops.");
  const values = signature
    .split(" ")
    .filter((part) => part.startsWith("v1,"))
    .map((part) => part.slice("v1,".length));
  const signatures = checked(values, { name: "webhook-signature", shape: BASE64_SHA256, expected: "v1,<base64>" });
  return { scheme: "standard", id, timestamp: checkedTime(timestamp, "webhook-timestamp"), signatures };
}

function checkedTime(timestamp: string, name: string): string {
  if (!TIMESTAMP.test(timestamp)) throw malformed(`${name} must be Unix seconds.`);
  return timestamp;
}

interface Expected {
  name: string;
  shape: RegExp;
  expected: string;
}

function checked(signatures: string[], { name, shape, expected }: Expected): string[] {
  if (signatures.length === 0) throw malformed(`${name} has no signature of version 1: ${expected}.`);
  if (signatures.length > SIGNATURES_MAX) throw malformed(`${name} has more than ${SIGNATURES_MAX} signatures.`);
  if (!signatures.every((one) => shape.test(one)))
    throw malformed(`${name} has a malformed signature, not ${expected}.`);
  return signatures;
}

function required(read: Reader, name: string): string {
  const value = read(name.toLowerCase());
  if (value === undefined || value === "") {
    throw new WebhookVerificationError("missing_header", `The header ${name} is missing.`);
  }
  if (value.length > HEADER_LENGTH_MAX) {
    throw malformed(`${name} is longer than ${HEADER_LENGTH_MAX} characters.`);
  }
  return value;
}

const malformed = (message: string): WebhookVerificationError =>
  new WebhookVerificationError("malformed_header", message);

/** Reads by lower-case name; a header that was sent several times is joined as `Headers` does. */
function headerReader(headers: WebhookHeaders): Reader {
  if (typeof headers !== "object" || headers === null) {
    throw new TypeError("headers must be Headers, or an object of names and values.");
  }
  if (typeof headers.get === "function") {
    const own = headers as { get(name: string): string | null };
    return (name) => own.get(name) ?? undefined;
  }
  const values = new Map<string, string>();
  for (const [name, value] of Object.entries(headers)) {
    const key = name.toLowerCase();
    const text = Array.isArray(value) ? value.join(", ") : value;
    if (typeof text !== "string") continue;
    const before = values.get(key);
    values.set(key, before === undefined ? text : `${before}, ${text}`);
  }
  return (name) => values.get(name);
}
