import { createHmac, hash } from "node:crypto";
import type { S3Credential } from "./s3-credentials";

const ALGORITHM = "AWS4-HMAC-SHA256";
const PAYLOAD = "UNSIGNED-PAYLOAD";

export interface Presigned {
  method: "GET" | "PUT";
  /** The origin and path, percent-encoded as it is sent. */
  url: string;
  /** Parameters besides those of the signature. */
  query?: Readonly<Record<string, string>>;
  /** Headers that the request must have, in lower case; `host` is always signed. */
  headers?: Readonly<Record<string, string>>;
  credential: S3Credential;
  region: string;
  at: Date;
  expiresSeconds: number;
}

/**
 * Signs a request in its query, by AWS Signature Version 4 ("Authenticating Requests: Using Query Parameters"), with the
 * same result as @aws-sdk/s3-request-presigner. The body is not signed.
 */
export function presignUrl({ method, url, query = {}, headers = {}, ...rest }: Presigned): string {
  const { credential, region, at, expiresSeconds } = rest;
  const { host, pathname } = new URL(url);
  const signed = Object.entries({ ...headers, host }).sort(byName);
  const names = signed.map(([name]) => name).join(";");
  const time = amzTime(at);
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const parameters = {
    ...query,
    "X-Amz-Algorithm": ALGORITHM,
    "X-Amz-Content-Sha256": PAYLOAD,
    "X-Amz-Credential": `${credential.accessKeyId}/${scope}`,
    "X-Amz-Date": time,
    "X-Amz-Expires": String(expiresSeconds),
    "X-Amz-SignedHeaders": names,
  };
  const lines = signed.map(([name, value]) => `${name}:${value.trim().replaceAll(/\s+/g, " ")}\n`).join("");
  const request = [method, pathname, queryOf(parameters), lines, names, PAYLOAD].join("\n");
  const toSign = [ALGORITHM, time, scope, hash("sha256", request)].join("\n");
  const key = ["aws4_request", "s3", region, time.slice(0, 8)].reduceRight<string | Buffer>(
    hmac,
    `AWS4${credential.secretAccessKey}`,
  );
  const signature = hmac(key, toSign).toString("hex");
  return `${url}?${queryOf({ ...parameters, "X-Amz-Signature": signature })}`;
}

const hmac = (key: string | Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();

/** A time as `20261120T090000Z`, in whole seconds. */
const amzTime = (at: Date): string => `${at.toISOString().slice(0, 19).replaceAll(/[-:]/g, "")}Z`;

const byName = ([a]: [string, string], [b]: [string, string]): number => (a < b ? -1 : 1);

const queryOf = (parameters: Readonly<Record<string, string>>): string =>
  Object.entries(parameters)
    .map(([name, value]): [string, string] => [percentEncoded(name), percentEncoded(value)])
    .sort(byName)
    .map(([name, value]) => `${name}=${value}`)
    .join("&");

/** All but the unreserved characters of RFC 3986. */
export const percentEncoded = (text: string): string =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
