import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { isSignedParameter, unprotected, verifyV2 } from "./signature-v2";
import { assertRequestTime } from "./verify-signature";

/** The Authorization header of Signature Version 2: `AWS <access key id>:<signature in base64>`. */
const HEADER = /^AWS ([A-Za-z0-9_.~-]{1,300}):([A-Za-z0-9+/]{27}=)$/;

/** An Authorization header of Signature Version 2, as clients that are old or configured so send it. */
export interface HeaderV2 {
  accessKeyId: string;
  /** Base64. */
  signature: string;
}

/** The signature of a request whose Authorization header is one of Version 2; undefined for others. Throws what is malformed. */
export function readHeaderV2({ headers }: S3Request): HeaderV2 | undefined {
  const authorization = headers.get("authorization");
  if (authorization === undefined || !/^AWS\s/.test(authorization)) return undefined;
  const [, accessKeyId, signature] = HEADER.exec(authorization) ?? [];
  if (accessKeyId !== undefined && signature !== undefined) return { accessKeyId, signature };
  throw new S3Error(
    "InvalidArgument",
    "The Authorization header is malformed: expected AWS <access key id>:<signature in base64>.",
  );
}

/**
 * Verifies the time and the signature of a request with each of the secrets. The signature covers fewer parameters than
 * that of Version 4, so only requests that read may have others. Throws `AccessDenied`, `RequestTimeTooSkewed` or
 * `SignatureDoesNotMatch`.
 */
export function verifyHeaderV2(
  request: S3Request,
  signed: HeaderV2,
  { secrets, now }: { secrets: readonly string[]; now: Date },
): void {
  const { method, query, headers } = request;
  const others = query.parameters.find(([name]) => !isSignedParameter(name));
  if (others && method !== "GET" && method !== "HEAD") throw unprotected(others[0]);
  const repeated = query.parameters.find(([name]) => query.isRepeated(name));
  if (repeated)
    throw new S3Error("AccessDenied", "A parameter of a request with Signature Version 2 must not be repeated.");
  const amzDate = headers.get("x-amz-date");
  assertRequestTime(timeOf(amzDate ?? headers.get("date")), now);
  const amz = new Map(
    [...headers].filter(([name]) => name.startsWith("x-amz-")).map(([name, text]) => [name, text.trim()]),
  );
  // Of two times, that of x-amz-date is signed, as a header.
  verifyV2(request, signed, { secrets, date: amzDate === undefined ? (headers.get("date") ?? "") : "", amz });
}

function timeOf(text: string | undefined): Date {
  const time = new Date(text ?? "");
  // Times before 1970 are no times of requests.
  if (time.getTime() > 0) return time;
  throw new S3Error("AccessDenied", "A signed request needs a valid Date or x-amz-date header.");
}
