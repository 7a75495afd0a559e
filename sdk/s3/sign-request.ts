import { createHash, createHmac } from "node:crypto";

/** Access to the S3 endpoint of svc, as `POST /v1/storage/credentials` returns it. */
export interface S3Access {
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** In milliseconds since 1970; infinite for access that ends only with its key. */
  expiresAt: number;
}

export interface UnsignedRequest {
  method: string;
  /** Its path and query are encoded as `encodeS3` does. */
  url: URL;
  headers: Readonly<Record<string, string>>;
  /** SHA-256 of the body in hexadecimal, or `UNSIGNED-PAYLOAD`. */
  payloadHash: string;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * The headers of a request with its signature (AWS Signature Version 4 for S3: the path is encoded once). All headers
 * that are given are signed.
 */
export function signRequest(
  { method, url, headers, payloadHash }: UnsignedRequest,
  { region, accessKeyId, secretAccessKey }: Pick<S3Access, "region" | "accessKeyId" | "secretAccessKey">,
  now: Date,
): Record<string, string> {
  const time = now.toISOString().replace(/[-:]|\.\d+/g, "");
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const sent: Record<string, string> = { ...headers, "x-amz-content-sha256": payloadHash, "x-amz-date": time };
  const signed = Object.entries({ ...sent, host: url.host })
    .map(([name, value]) => [name.toLowerCase(), value.trim().replace(/\s+/g, " ")] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const names = signed.map(([name]) => name).join(";");
  const canonical = [
    method,
    url.pathname,
    canonicalQuery(url),
    signed.map(([name, value]) => `${name}:${value}\n`).join(""),
    names,
    payloadHash,
  ].join("\n");
  const text = [ALGORITHM, time, scope, sha256(canonical)].join("\n");
  const key = [time.slice(0, 8), region, "s3", "aws4_request"].reduce<string | Buffer>(hmac, `AWS4${secretAccessKey}`);
  const signature = createHmac("sha256", key).update(text).digest("hex");
  const credential = `${accessKeyId}/${scope}`;
  return {
    ...sent,
    authorization: `${ALGORITHM} Credential=${credential}, SignedHeaders=${names}, Signature=${signature}`,
  };
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
export const sha256 = (content: string | Uint8Array): string => createHash("sha256").update(content).digest("hex");

function canonicalQuery(url: URL): string {
  return [...url.searchParams]
    .map(([name, value]) => [encodeS3(name), encodeS3(value)] as const)
    .sort(([a, x], [b, y]) => (a === b ? (x < y ? -1 : 1) : a < b ? -1 : 1))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
}

/** Percent-encoding of all but the unreserved characters of RFC 3986, as the signature requires. */
export const encodeS3 = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
