import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { encodePath } from "./percent-encoding";
import type { S3Query } from "./s3-query";

export const ALGORITHM = "AWS4-HMAC-SHA256";
/** How long a presigned URL is valid at most: seven days, from "Authenticating Requests: Using Query Parameters". */
export const EXPIRES_SECONDS_MAX = 604_800;
/** Hex SHA-256 of no bytes. */
export const EMPTY_SHA256 = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855";

/** The scope of a signing key; the service is `s3`. */
export interface SigningScope {
  /** `YYYYMMDD`. */
  day: string;
  region: string;
}

export interface CanonicalParts {
  method: string;
  /** Decoded; never normalised: double slashes and dots are part of a key. */
  path: string;
  query: S3Query;
  /** By lower-case name, several values joined by commas. */
  headers: ReadonlyMap<string, string>;
  /** Lower-case names in the order of `SignedHeaders`. */
  signedHeaders: readonly string[];
  /** Hex SHA-256 of the body, or one of the words that S3 has for it. */
  payload: string;
}

/** The canonical request of Signature Version 4 as S3 has it ("Create a signed AWS API request" of AWS IAM). */
export function canonicalRequest({ method, path, query, headers, signedHeaders, payload }: CanonicalParts): string {
  const lines = signedHeaders.map((name) => `${name}:${canonicalValue(headers.get(name) ?? "")}\n`);
  return [method, encodePath(path), query.canonical(), lines.join(""), signedHeaders.join(";"), payload].join("\n");
}

const canonicalValue = (value: string): string => value.trim().replaceAll(/ +/g, " ");

export const scopeText = ({ day, region }: SigningScope): string => `${day}/${region}/s3/aws4_request`;

/** `time` as `YYYYMMDDTHHMMSSZ`. */
export const stringToSign = (time: string, scope: SigningScope, request: string): string =>
  [ALGORITHM, time, scopeText(scope), sha256Hex(request)].join("\n");

/** The key that signs requests of one day, region and secret. */
export const signingKey = (secret: string, { day, region }: SigningScope): Buffer =>
  [day, region, "s3", "aws4_request"].reduce<Buffer>(hmac, Buffer.from(`AWS4${secret}`));

export const sign = (key: Buffer, text: string): string => createHmac("sha256", key).update(text).digest("hex");

export const sha256Hex = (text: string | Uint8Array): string => createHash("sha256").update(text).digest("hex");

/** Compares two texts in a time that does not depend on where they differ. */
export function isEqualText(a: string, b: string): boolean {
  const [left, right] = [Buffer.from(a), Buffer.from(b)];
  return left.length === right.length && timingSafeEqual(left, right);
}

const hmac = (key: Buffer, text: string): Buffer => createHmac("sha256", key).update(text).digest();
