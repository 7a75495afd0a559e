import { createHmac } from "node:crypto";
import { S3_PATH } from "../../cloud/data/buckets/s3-endpoint";
import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { EXPIRES_SECONDS_MAX, isEqualText } from "./signature";
import { tag } from "./write-xml";

const [ACCESS_KEY, SIGNATURE, EXPIRES] = ["AWSAccessKeyId", "Signature", "Expires"];
/** What a signature covers besides the path, from "Signing and authenticating REST requests" (Version 2). */
const SIGNED_PARAMETERS = new Set([
  ..."acl cors delete lifecycle location logging notification partNumber policy requestPayment restore".split(" "),
  ..."tagging torrent uploadId uploads versionId versioning versions website".split(" "),
  ..."response-cache-control response-content-disposition response-content-encoding".split(" "),
  ..."response-content-language response-content-type response-expires".split(" "),
]);
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
  if (unsigned) {
    throw new S3Error(
      "AccessDenied",
      `Signature Version 2 does not protect the parameter ${unsigned[0].slice(0, 100)}; presign the URL with Version 4 (AWS4-HMAC-SHA256).`,
    );
  }
  const texts = canonicalResources(request).map((resource) => stringToSign(request, resource));
  const fitting = texts.flatMap((text) =>
    secrets.filter((secret) =>
      isEqualText(createHmac("sha1", secret).update(text).digest("base64"), presigned.signature),
    ),
  );
  if (fitting.length === 0) {
    throw new S3Error("SignatureDoesNotMatch", "The signature of the URL is not the one that the server calculated.", {
      elements: [tag("AWSAccessKeyId", presigned.accessKeyId), tag("StringToSign", texts.at(-1))],
    });
  }
  assertTime(presigned, now);
}

const isSigned = (name: string): boolean =>
  [ACCESS_KEY, SIGNATURE, EXPIRES].includes(name) || SIGNED_PARAMETERS.has(name) || HOISTED.test(name.toLowerCase());

function stringToSign({ method, headers, query }: S3Request, resource: string): string {
  const value = (name: string) => headers.get(name) ?? query.get(name) ?? "";
  const amz = new Map<string, string>();
  for (const [name, text] of [...query.parameters, ...headers]) {
    const lower = name.toLowerCase();
    if (lower.startsWith("x-amz-")) amz.set(lower, text.trim());
  }
  const lines = [...amz].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `${name}:${text}\n`);
  return [method, value("content-md5"), value("content-type"), query.get(EXPIRES), lines.join("") + resource].join(
    "\n",
  );
}

/** The path as it was sent. Clients sign it with and without the part that belongs to the endpoint. */
function canonicalResources({ incoming, query, bucket, path }: S3Request): string[] {
  const sent = (incoming.url ?? "/").split("?", 1)[0] ?? "/";
  const isBelow = path === S3_PATH || path.startsWith(`${S3_PATH}/`);
  const paths = isBelow ? [sent, sent.slice(S3_PATH.length) || "/"] : [sent, `/${bucket}${sent}`];
  const parameters = query.parameters
    .filter(([name]) => SIGNED_PARAMETERS.has(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => (text === "" ? name : `${name}=${text}`));
  return paths.map((each) => each + (parameters.length > 0 ? `?${parameters.join("&")}` : ""));
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
