import { parseJson } from "./exact-json";
import { WebhookVerificationError } from "./webhook-error";
import { readClaim, type WebhookHeaders } from "./webhook-headers";
import { assertSecret, isEqual, signatureOf } from "./webhook-signature";

export type { WebhookVerificationCode } from "./webhook-error";
// biome-ignore lint/performance/noBarrelFile: an entry point of the package.
export { WebhookVerificationError } from "./webhook-error";
export type { WebhookHeaders } from "./webhook-headers";

/** The replay window of the specification: the absolute difference between now and the timestamp. */
const TOLERANCE_SECONDS = 300;
const SECRETS_MAX = 16;

/** The body of a delivery. */
export interface WebhookEvent<Data = Record<string, unknown>> {
  /** The same for every attempt and replay: ignore an event whose id you have already seen. */
  id: string;
  /** The kind, such as `campaign.created`. */
  type: string;
  /** RFC 3339. */
  created_at: string;
  tenant_id: string;
  /** null: the whole tenant. */
  project_id: string | null;
  mode: "test" | "live";
  data: Data;
}

/** The body as it was received, before any parsing. */
export type RawBody = string | ArrayBuffer | ArrayBufferView;

export interface VerifyOptions {
  /** How far the timestamp may be from now, in the past and in the future. Default 300. */
  toleranceSeconds?: number | undefined;
  /** Milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

export interface SignOptions {
  /** The value of `webhook-id`. Default: the `id` in the body, else `evt_test`. */
  id?: string | undefined;
  /** Milliseconds since 1970. Default: `Date.now`. */
  now?: (() => number) | undefined;
}

/** Verifies the deliveries of webhooks, and signs some for your tests. For Node 20+, browsers and edge runtimes. */
export const webhooks = { verify, sign } as const;

/**
 * The event of a delivery, once its signature is verified: `X-SVC-Signature` and `X-SVC-Timestamp`, or the headers of
 * Standard Webhooks if only they are there. During a rotation, give both secrets.
 *
 * @throws WebhookVerificationError with a `code` if the delivery must not be trusted. TypeError for a mistake in the
 *   program: a missing secret, or a body that was already parsed.
 */
async function verify<Event extends WebhookEvent = WebhookEvent>(
  rawBody: RawBody,
  headers: WebhookHeaders,
  ...[secret, { toleranceSeconds = TOLERANCE_SECONDS, now = Date.now } = {}]: VerifyArguments
): Promise<Event> {
  const secrets = secretsOf(secret);
  const body = bytesOf(rawBody);
  if (!(Number.isFinite(toleranceSeconds) && toleranceSeconds >= 0)) {
    throw new TypeError("toleranceSeconds must be a number of seconds from 0.");
  }
  const claim = readClaim(headers);
  assertRecent(Number(claim.timestamp), { toleranceSeconds, now });
  const expected = await Promise.all(secrets.map((one) => signatureOf({ ...claim, body }, one)));
  // Every pair is compared, so that the time does not say which one matched.
  const matches = expected.flatMap((own) => claim.signatures.map((given) => isEqual(own, given)));
  if (!matches.includes(true)) {
    const message =
      "No signature matches: the secret is another webhook's, or the body is not the raw body that was received.";
    throw new WebhookVerificationError("no_match", message);
  }
  return parseEvent(body) as Event;
}

type VerifyArguments = [secret: string | readonly string[], options?: VerifyOptions];

/**
 * The headers of a delivery of this body, for tests of your endpoint.
 *
 * @throws TypeError as `verify` does.
 */
async function sign(
  rawBody: RawBody,
  secret: string | readonly string[],
  { id, now = Date.now }: SignOptions = {},
): Promise<Record<string, string>> {
  const secrets = secretsOf(secret);
  const body = bytesOf(rawBody);
  const timestamp = String(Math.floor(now() / 1000));
  const signed = { id: id ?? idIn(body), timestamp, body };
  const svc = await Promise.all(secrets.map((one) => signatureOf({ ...signed, scheme: "svc" }, one)));
  const standard = await Promise.all(secrets.map((one) => signatureOf({ ...signed, scheme: "standard" }, one)));
  return {
    "Content-Type": "application/json",
    "X-SVC-Timestamp": timestamp,
    "X-SVC-Signature": [`t=${timestamp}`, ...svc.map((one) => `v1=${one}`)].join(","),
    "webhook-id": signed.id,
    "webhook-timestamp": timestamp,
    "webhook-signature": standard.map((one) => `v1,${one}`).join(" "),
  };
}

interface Tolerance {
  toleranceSeconds: number;
  now: () => number;
}

function assertRecent(timestamp: number, { toleranceSeconds, now }: Tolerance): void {
  const age = Math.floor(now() / 1000) - timestamp;
  if (Math.abs(age) <= toleranceSeconds) return;
  const [code, direction] = age > 0 ? (["too_old", "old"] as const) : (["too_new", "in the future"] as const);
  const message = `The delivery is ${Math.abs(age)} s ${direction}; at most ${toleranceSeconds} s are accepted. Is the clock right?`;
  throw new WebhookVerificationError(code, message);
}

function secretsOf(secret: string | readonly string[]): readonly string[] {
  const secrets = typeof secret === "string" ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0 || secrets.length > SECRETS_MAX) {
    throw new TypeError(`secret must be the secret of a webhook (whsec_…), or a list of 1 to ${SECRETS_MAX} of them.`);
  }
  for (const one of secrets) assertSecret(one);
  return secrets;
}

function bytesOf(rawBody: RawBody): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (ArrayBuffer.isView(rawBody)) return new Uint8Array(rawBody.buffer, rawBody.byteOffset, rawBody.byteLength);
  if (Object.prototype.toString.call(rawBody) === "[object ArrayBuffer]") return new Uint8Array(rawBody);
  throw new TypeError(
    "rawBody must be the body as received, a string or bytes; an object that was parsed from it cannot be verified.",
  );
}

function parseEvent(body: Uint8Array): unknown {
  const event = parse(body) as Partial<WebhookEvent> | null | undefined;
  const isEvent =
    typeof event === "object" &&
    typeof event?.id === "string" &&
    typeof event.type === "string" &&
    typeof event.data === "object" &&
    event.data !== null;
  if (isEvent) return event;
  const message = "The signature is valid, but the body is not an event: a JSON object with id, type and data.";
  throw new WebhookVerificationError("malformed_body", message);
}

function parse(body: Uint8Array): unknown {
  try {
    return parseJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body));
  } catch {
    return undefined;
  }
}

function idIn(body: Uint8Array): string {
  const id = (parse(body) as { id?: unknown } | null | undefined)?.id;
  return typeof id === "string" && id !== "" ? id : "evt_test";
}
