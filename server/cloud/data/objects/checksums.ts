import { createHash } from "node:crypto";
import { Crc64Nvme } from "@aws-sdk/crc64-nvme";
import { crc32, crc32c } from "@node-rs/crc32";
import { type Crc, CrcCombination } from "./crc-combine";
import type { ChecksumAlgorithm, Checksums } from "./objects";

const CRCS: Partial<Record<ChecksumAlgorithm, Crc>> = {
  CRC32: { bits: 32, polynomial: 0xedb88320n },
  CRC32C: { bits: 32, polynomial: 0x82f63b78n },
  CRC64NVME: { bits: 64, polynomial: 0x9a6c9329ac4bc9b5n },
};

/** The checksum of bytes that come in chunks. */
export interface RunningChecksum {
  update(chunk: Uint8Array): void;
  /** Base64. */
  digest(): Promise<string>;
}

export function startChecksum(algorithm: ChecksumAlgorithm): RunningChecksum {
  if (algorithm === "SHA1" || algorithm === "SHA256") {
    const hash = createHash(algorithm);
    return { update: (chunk) => hash.update(chunk), digest: () => Promise.resolve(hash.digest("base64")) };
  }
  if (algorithm === "CRC64NVME") {
    const crc = new Crc64Nvme();
    return {
      update: (chunk) => crc.update(chunk),
      digest: async () => Buffer.from(await crc.digest()).toString("base64"),
    };
  }
  const add = algorithm === "CRC32" ? crc32 : crc32c;
  let value = 0;
  return {
    update: (chunk) => {
      value = add(chunk, value);
    },
    digest: () => Promise.resolve(base64Of(BigInt(value >>> 0), 32)),
  };
}

interface ChecksummedPart {
  size: number;
  checksums: Checksums;
}

/** The checksum of a whole object from those of its parts; undefined if a part has none. Only CRCs can be combined. */
export function fullChecksum(algorithm: ChecksumAlgorithm, parts: readonly ChecksummedPart[]): string | undefined {
  const crc = CRCS[algorithm];
  if (!crc) return undefined;
  const combination = new CrcCombination(crc);
  let whole = 0n;
  for (const { size, checksums } of parts) {
    const text = checksums[algorithm];
    if (text === undefined) return undefined;
    whole = combination.combine(whole, BigInt(`0x${Buffer.from(text, "base64").toString("hex")}`), size);
  }
  return base64Of(whole, crc.bits);
}

/** The checksum of the parts' checksums, with the number of parts; undefined if a part has none, and for CRC64NVME. */
export function compositeChecksum(algorithm: ChecksumAlgorithm, parts: readonly ChecksummedPart[]): string | undefined {
  const texts = parts.flatMap(({ checksums }) => checksums[algorithm] ?? []);
  if (texts.length < parts.length) return undefined;
  const all = Buffer.concat(texts.map((text) => Buffer.from(text, "base64")));
  const checksum = checksumOf(algorithm, all);
  return checksum === undefined ? undefined : `${checksum}-${parts.length}`;
}

function checksumOf(algorithm: ChecksumAlgorithm, bytes: Buffer): string | undefined {
  if (algorithm === "CRC64NVME") return undefined;
  if (algorithm === "CRC32") return base64Of(BigInt(crc32(bytes)), 32);
  if (algorithm === "CRC32C") return base64Of(BigInt(crc32c(bytes)), 32);
  return createHash(algorithm).update(bytes).digest("base64");
}

/** The ETag of a multipart upload: the MD5 of the parts' MD5s, and their number. */
export function multipartEtag(etags: readonly string[]): string {
  const hash = createHash("md5");
  for (const etag of etags) hash.update(etag, "hex");
  return `${hash.digest("hex")}-${etags.length}`;
}

function base64Of(value: bigint, bits: number): string {
  return Buffer.from(value.toString(16).padStart(bits / 4, "0"), "hex").toString("base64");
}
