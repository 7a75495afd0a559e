import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { EXPIRES_SECONDS_MAX } from "./signature";
import { isSignedParameter, unprotected, verifyV2 } from "./signature-v2";
import { tag } from "./write-xml";

const [ACCESS_KEY, SIGNATURE, EXPIRES] = ["AWSAccessKeyId", "Signature", "Expires"];
/** Headers that presigners of Version 2 move into the query. */
const HOISTED = /^(x-amz-.*|content-type|content-md5)$/;

/** A presigned URL of Signature Version 2: boto3 and version 1 of the AWS CLI make them unless they are configured. */
export interface PresignedV2 {
  accessKeyId: string;
  /** Base64. */
  signature: string;
  expiresAt: Date;
}

/** The signature of a URL that was presigned with Version 2; undefined if it has none. Throws what is malformed. */
export function readPresignedV2({ query, headers }: S3Request): PresignedV2 | undefined {
  const [accessKeyId, signature, expires] = [query.get(ACCESS_KEY), query.get(SIGNATURE), query.get(EXPIRES)];
  if (accessKeyId === undefined || signature === undefined) return undefined;
  if (expires === undefined || !/^\d{1,12}$/.test(expires) || headers.has("authorization")) {
    throw new S3Error(
      "AccessDenied",
      `A presigned URL has ${EXPIRES}, in seconds since 1970, and no Authorization header.`,
    );
  }
  return { accessKeyId, signature, expiresAt: new Date(Number(expires) * 1000) };
}

/**
 * Verifies a presigned URL of Version 2 with each of the secrets. The signature covers fewer parameters than that of
 * Version 4, so a request with any other one is rejected. Throws `AccessDenied` or `SignatureDoesNotMatch`.
 */
export function verifyPresignedV2(
  request: S3Request,
  presigned: PresignedV2,
  { secrets, now }: { secrets: readonly string[]; now: Date },
): void {
  const names = request.query.parameters.map(([name]) => name.toLowerCase());
  if (new Set(names).size < names.length) {
    throw new S3Error("AccessDenied", "A parameter of a presigned URL must not be repeated.");
  }
  const unsigned = request.query.parameters.find(([name]) => !isSigned(name));
  if (unsigned) throw unprotected(unsigned[0]);
  const date = request.query.get(EXPIRES) ?? "";
  verifyV2(request, presigned, { secrets, date, amz: amzOf(request) });
  assertTime(presigned, now);
}

const isSigned = (name: string): boolean =>
  [ACCESS_KEY, SIGNATURE, EXPIRES].includes(name) || isSignedParameter(name) || HOISTED.test(name.toLowerCase());

/** The x-amz-* values, of which presigners move some into the query. */
function amzOf({ headers, query }: S3Request): Map<string, string> {
  const amz = new Map<string, string>();
  for (const [name, text] of [...query.parameters, ...headers]) {
    const lower = name.toLowerCase();
    if (lower.startsWith("x-amz-")) amz.set(lower, text.trim());
  }
  return amz;
}

function assertTime({ expiresAt }: PresignedV2, now: Date): void {
  const secondsLeft = (expiresAt.getTime() - now.getTime()) / 1000;
  if (secondsLeft >= 0 && secondsLeft <= EXPIRES_SECONDS_MAX) return;
  const what =
    secondsLeft < 0 ? "Request has expired." : `${EXPIRES} is more than ${EXPIRES_SECONDS_MAX} seconds from now.`;
  throw new S3Error("AccessDenied", what, {
    elements: [tag("Expires", expiresAt.toISOString()), tag("ServerTime", now.toISOString())],
  });
}
