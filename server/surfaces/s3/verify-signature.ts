import type { RequestSignature } from "./read-signature";
import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { canonicalRequest, isEqualText, sign, signingKey, stringToSign } from "./signature";
import { tag } from "./write-xml";

const SKEW_MS = 15 * 60_000;

/** What verifies the chunks of a body that belongs to a verified request. */
export interface VerifiedSignature extends RequestSignature {
  key: Buffer;
}

/**
 * Verifies the time of a request, what it signed, and its signature with each of the secrets, and returns it with the
 * key that fits. Throws `RequestTimeTooSkewed`, `AccessDenied` or `SignatureDoesNotMatch`.
 */
export function verifySignature(
  request: S3Request,
  signature: RequestSignature,
  { secrets, now }: { secrets: readonly string[]; now: Date },
): VerifiedSignature {
  assertSigned(request, signature.signedHeaders);
  const { scope, signedHeaders, payload } = signature;
  const canonical = canonicalRequest({ ...request, signedHeaders, payload });
  const text = stringToSign(signature.time, scope, canonical);
  const keys = secrets.map((secret) => signingKey(secret, scope));
  // Every secret is tried, so that the time does not tell which one fits.
  const fitting = keys.filter((key) => isEqualText(sign(key, text), signature.signature));
  const [key] = fitting;
  if (!key) throw mismatch(signature, text, canonical);
  assertTime(signature, now);
  return { ...signature, key };
}

/** Signed headers protect the host and every parameter of the request that is a header of S3. */
function assertSigned({ headers }: S3Request, signedHeaders: readonly string[]): void {
  const signed = new Set(signedHeaders);
  const missing = [...headers.keys()].filter(
    (name) => (name === "host" || name.startsWith("x-amz-")) && !signed.has(name),
  );
  if (missing.length === 0 && signed.has("host")) return;
  const names = missing.length > 0 ? missing.join(", ") : "host";
  throw new S3Error("AccessDenied", `These headers must be part of SignedHeaders: ${names.slice(0, 500)}.`, {
    elements: [tag("HeadersNotSigned", names.slice(0, 500))],
  });
}

/** Throws `RequestTimeTooSkewed` for a request that was signed for another time. */
export function assertRequestTime(signedAt: Date, now: Date): void {
  if (Math.abs(now.getTime() - signedAt.getTime()) <= SKEW_MS) return;
  throw new S3Error(
    "RequestTimeTooSkewed",
    "The time of the request differs from the time of the server by more than 15 minutes; set the clock of the client.",
    {
      elements: [
        tag("RequestTime", signedAt.toISOString()),
        tag("ServerTime", now.toISOString()),
        tag("MaxAllowedSkewMilliseconds", SKEW_MS),
      ],
    },
  );
}

function assertTime({ signedAt, expiresSeconds }: RequestSignature, now: Date): void {
  if (expiresSeconds === undefined) {
    assertRequestTime(signedAt, now);
    return;
  }
  const ageMs = now.getTime() - signedAt.getTime();
  const times = [tag("ServerTime", now.toISOString())];
  if (ageMs < -SKEW_MS) throw new S3Error("AccessDenied", "The URL is not valid yet.", { elements: times });
  if (ageMs <= expiresSeconds * 1000) return;
  const expiredAt = new Date(signedAt.getTime() + expiresSeconds * 1000).toISOString();
  throw new S3Error("AccessDenied", "Request has expired.", {
    elements: [tag("X-Amz-Expires", expiresSeconds), tag("Expires", expiredAt), ...times],
  });
}

/** What the server signed, so that the author of a client can compare; it has nothing that the request has not. */
const mismatch = ({ accessKeyId, signature }: RequestSignature, text: string, canonical: string): S3Error =>
  new S3Error(
    "SignatureDoesNotMatch",
    "The signature of the request is not the one that the server calculated. Check the secret access key and the signing method.",
    {
      elements: [
        tag("AWSAccessKeyId", accessKeyId),
        tag("StringToSign", text),
        tag("SignatureProvided", signature),
        tag("CanonicalRequest", canonical),
      ],
    },
  );
