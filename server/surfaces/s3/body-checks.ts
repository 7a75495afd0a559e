import { CHECKSUM_ALGORITHMS, type ChecksumAlgorithm } from "../../cloud/data/objects/objects";
import { S3Error } from "./s3-error";

export type Checksums = Partial<Record<ChecksumAlgorithm, string>>;

const BYTES: Readonly<Record<ChecksumAlgorithm, number>> = {
  CRC32: 4,
  CRC32C: 4,
  CRC64NVME: 8,
  SHA1: 20,
  SHA256: 32,
};
const MD5_BYTES = 16;
export const CHECKSUM_PREFIX = "x-amz-checksum-";
const KNOWN = new Set(
  ["algorithm", "mode", "type", ...CHECKSUM_ALGORITHMS].map((name) => CHECKSUM_PREFIX + name.toLowerCase()),
);

/** What the headers of a request say about the bytes of its body. */
export interface BodyChecks {
  /** Hex. */
  md5?: string;
  /** Base64, from headers. */
  checksums: Checksums;
  /** Its value follows the body as a trailer. */
  trailer?: ChecksumAlgorithm;
}

/** Reads Content-MD5, x-amz-checksum-* and x-amz-trailer. Throws `InvalidDigest` and `InvalidRequest`. */
export function readBodyChecks(headers: ReadonlyMap<string, string>): BodyChecks {
  const checksums = checksumsOf(headers);
  const trailer = trailerOf(headers);
  const given = [...Object.keys(checksums), ...(trailer ? [trailer] : [])];
  if (given.length > 1) {
    throw new S3Error("InvalidRequest", "Send one x-amz-checksum-* header or trailer, not several.");
  }
  const announced = headers.get("x-amz-sdk-checksum-algorithm");
  if (announced !== undefined && given[0] !== parseAlgorithm(announced)) {
    throw new S3Error(
      "InvalidRequest",
      "x-amz-sdk-checksum-algorithm names an algorithm for which there is no x-amz-checksum-* header or trailer.",
    );
  }
  const md5 = headers.get("content-md5");
  return { checksums, ...(trailer && { trailer }), ...(md5 !== undefined && { md5: md5Of(md5) }) };
}

/** The checksums that headers have; a value that cannot be one is `InvalidRequest`. */
export function checksumsOf(headers: ReadonlyMap<string, string>): Checksums {
  // One that is not verified must not seem to be.
  const unknown = [...headers.keys()].find((name) => name.startsWith(CHECKSUM_PREFIX) && !KNOWN.has(name));
  if (unknown !== undefined) throw unknownAlgorithm(unknown.slice(CHECKSUM_PREFIX.length));
  const checksums: Checksums = {};
  for (const algorithm of CHECKSUM_ALGORITHMS) {
    const value = headers.get(checksumHeader(algorithm));
    if (value !== undefined) checksums[algorithm] = checkedValue(algorithm, value);
  }
  return checksums;
}

/** A value of S3 may have `-<parts>` after the base64 text of a composite checksum. */
export function checkedValue(algorithm: ChecksumAlgorithm, value: string): string {
  const [, text = "", parts = ""] = /^([^-]*)(-\d{1,5})?$/.exec(value) ?? [];
  if (isBase64Of(text, BYTES[algorithm])) return text + parts;
  throw new S3Error(
    "InvalidRequest",
    `Value for ${checksumHeader(algorithm)} is invalid: expected base64 of ${BYTES[algorithm]} bytes.`,
  );
}

export const checksumHeader = (algorithm: ChecksumAlgorithm): string => `x-amz-checksum-${algorithm.toLowerCase()}`;

/** `InvalidRequest` for an algorithm that does not exist. */
export function parseAlgorithm(text: string): ChecksumAlgorithm {
  const found = CHECKSUM_ALGORITHMS.find((algorithm) => algorithm === text.toUpperCase());
  if (found) return found;
  throw unknownAlgorithm(text);
}

const unknownAlgorithm = (name: string): S3Error =>
  new S3Error(
    "InvalidRequest",
    `The checksum algorithm must be one of ${CHECKSUM_ALGORITHMS.join(", ")}, not ${name.slice(0, 40).toUpperCase()}.`,
  );

function trailerOf(headers: ReadonlyMap<string, string>): ChecksumAlgorithm | undefined {
  const name = headers.get("x-amz-trailer")?.trim().toLowerCase();
  if (name === undefined) return undefined;
  const found = CHECKSUM_ALGORITHMS.find((algorithm) => checksumHeader(algorithm) === name);
  if (found) return found;
  throw new S3Error("InvalidRequest", "The value of x-amz-trailer must be the name of one x-amz-checksum-* header.");
}

function md5Of(text: string): string {
  if (isBase64Of(text, MD5_BYTES)) return Buffer.from(text, "base64").toString("hex");
  throw new S3Error("InvalidDigest", "Content-MD5 must be the base64 text of an MD5, which has 16 bytes.");
}

function isBase64Of(text: string, bytes: number): boolean {
  const decoded = Buffer.from(text, "base64");
  return decoded.length === bytes && decoded.toString("base64") === text;
}
