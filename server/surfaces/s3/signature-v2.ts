import { createHmac } from "node:crypto";
import { S3_PATH } from "../../cloud/data/buckets/s3-endpoint";
import { S3Error } from "./s3-error";
import type { S3Request } from "./s3-request";
import { isEqualText } from "./signature";
import { tag } from "./write-xml";

/** What a signature covers besides the path, from "Signing and authenticating REST requests" (Version 2). */
const SIGNED_PARAMETERS = new Set([
  ..."acl cors delete lifecycle location logging notification object-lock partNumber policy requestPayment".split(" "),
  ..."restore tagging torrent uploadId uploads versionId versioning versions website".split(" "),
  ..."response-cache-control response-content-disposition response-content-encoding".split(" "),
  ..."response-content-language response-content-type response-expires".split(" "),
]);

/** Whether Signature Version 2 protects a parameter of the query. */
export const isSignedParameter = (name: string): boolean => SIGNED_PARAMETERS.has(name);

/** A proxy could change a parameter that is not protected. */
export const unprotected = (name: string): S3Error =>
  new S3Error(
    "AccessDenied",
    `Signature Version 2 does not protect the parameter ${name.slice(0, 100)}; sign with Version 4 (AWS4-HMAC-SHA256).`,
  );

/**
 * Throws `SignatureDoesNotMatch` unless `signature`, in base64, is that of the request under one of the secrets. `date`
 * is the line of the time in the text that was signed, and `amz` are the x-amz-* values by lower-case name.
 */
export function verifyV2(
  request: S3Request,
  { accessKeyId, signature }: { accessKeyId: string; signature: string },
  { secrets, date, amz }: { secrets: readonly string[]; date: string; amz: ReadonlyMap<string, string> },
): void {
  const { method, headers, query } = request;
  const value = (name: string) => headers.get(name) ?? query.get(name) ?? "";
  const lines = [...amz].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, text]) => `${name}:${text}\n`);
  const texts = canonicalResources(request).map((resource) =>
    [method, value("content-md5"), value("content-type"), date, lines.join("") + resource].join("\n"),
  );
  // Every secret is tried, so that the time does not tell which one fits.
  const fitting = texts.flatMap((text) =>
    secrets.filter((secret) => isEqualText(createHmac("sha1", secret).update(text).digest("base64"), signature)),
  );
  if (fitting.length > 0) return;
  throw new S3Error("SignatureDoesNotMatch", "The signature is not the one that the server calculated.", {
    elements: [tag("AWSAccessKeyId", accessKeyId), tag("StringToSign", texts.at(-1))],
  });
}

/** The path as it was sent. Clients sign it with and without the part that belongs to the endpoint, and a bucket with `/`. */
function canonicalResources({ incoming, query, bucket, key, path }: S3Request): string[] {
  const sent = (incoming.url ?? "/").split("?", 1)[0] ?? "/";
  const isBelow = path === S3_PATH || path.startsWith(`${S3_PATH}/`);
  const paths = isBelow ? [sent, sent.slice(S3_PATH.length) || "/"] : [sent, `/${bucket}${sent}`];
  if (bucket !== undefined && key === undefined) paths.push(...paths.map((each) => `${each}/`));
  const parameters = query.parameters
    .filter(([name]) => isSignedParameter(name))
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, text]) => (text === "" ? name : `${name}=${text}`));
  return paths.map((each) => each + (parameters.length > 0 ? `?${parameters.join("&")}` : ""));
}
