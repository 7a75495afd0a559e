import type { PartRow, UploadRow } from "./changes";
import { compositeChecksum, fullChecksum, multipartEtag } from "./checksums";
import {
  badChecksum,
  invalidCompletion,
  invalidPart,
  invalidPartOrder,
  OBJECT_BYTES_MAX,
  partTooSmall,
  tooLarge,
} from "./object-errors";
import type { ChecksumAlgorithm, Checksums, CompletedPart, CompletedUpload } from "./objects";
import type { PartEntry } from "./version-row";

/** S3's minimum of all parts but the last. */
export const PART_BYTES_MIN = 5 * 1024 * 1024;

/** The stored parts that a completion names, in order; throws what is wrong with them. */
export function chosenParts(wanted: readonly CompletedPart[], stored: ReadonlyMap<number, PartRow>): PartRow[] {
  if (wanted.length === 0) throw invalidPart("An upload is completed with at least one part.");
  if (wanted.some(({ number }, index) => number <= (wanted[index - 1]?.number ?? 0))) {
    throw invalidPartOrder("The parts must be in ascending order of their numbers, each once.");
  }
  const chosen = wanted.map((part) => storedPart(part, stored));
  for (const { number, size } of chosen.slice(0, -1)) {
    if (size < PART_BYTES_MIN) {
      throw partTooSmall(`Part ${number} has ${size} bytes; every part but the last needs at least ${PART_BYTES_MIN}.`);
    }
  }
  if (sizeOf(chosen) > OBJECT_BYTES_MAX) throw tooLarge("An object has at most 5 TiB.");
  return chosen;
}

function storedPart({ number, etag, checksums = {} }: CompletedPart, stored: ReadonlyMap<number, PartRow>): PartRow {
  const part = stored.get(number);
  if (!part) throw invalidPart(`Part ${number} was not uploaded.`);
  if (part.etag !== etag) throw invalidPart(`Part ${number} has another ETag; it was uploaded again.`);
  for (const [algorithm, value] of Object.entries(checksums) as [ChecksumAlgorithm, string][]) {
    const known = part.checksums[algorithm];
    if (known !== undefined && known !== value) throw invalidPart(`Part ${number} has another ${algorithm} checksum.`);
  }
  return part;
}

export const sizeOf = (parts: readonly { size: number }[]): number => parts.reduce((sum, { size }) => sum + size, 0);

/** What the object of these parts is; throws `bad_checksum` and `invalid_completion`. */
export function assembled(upload: UploadRow, parts: readonly PartRow[], completed: CompletedUpload) {
  const { algorithm } = upload;
  const type = upload.checksumType ?? (algorithm === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE");
  if (algorithm) assertKind({ algorithm, type }, completed);
  const own = algorithm && (type === "FULL_OBJECT" ? fullChecksum : compositeChecksum)(algorithm, parts);
  const known: Checksums = algorithm && own !== undefined ? { [algorithm]: own } : {};
  // Without an algorithm, parts have the checksums that they were sent with.
  const checksums = algorithm ? known : verifiable(parts, completed.checksums);
  assertChecksums(checksums, completed.checksums);
  const [shown] = Object.keys(checksums) as ChecksumAlgorithm[];
  const size = sizeOf(parts);
  if (completed.size !== undefined && completed.size !== size) {
    throw invalidCompletion(`The parts have ${size} bytes, not the ${completed.size} that the request expects.`);
  }
  return {
    size,
    etag: multipartEtag(parts.map(({ etag }) => etag)),
    checksums,
    checksumType: own === undefined ? ("FULL_OBJECT" as const) : type,
    parts: parts.map((part) => entryOf(part, shown)),
  };
}

function entryOf({ number, suffix, size, checksums }: PartRow, algorithm: ChecksumAlgorithm | undefined): PartEntry {
  const checksum = algorithm && checksums[algorithm];
  return checksum === undefined ? [number, suffix, size] : [number, suffix, size, checksum];
}

type Kind = { algorithm: ChecksumAlgorithm; type: NonNullable<CompletedUpload["checksumType"]> };

/** A composite checksum is worth something only if the client says what it is composed of. */
function assertKind({ algorithm, type }: Kind, { parts, checksumType }: CompletedUpload): void {
  if (checksumType !== undefined && checksumType !== type) {
    throw invalidCompletion(`The upload was started with a checksum of the type ${type}, not ${checksumType}.`);
  }
  const missing = type === "COMPOSITE" && parts.find(({ checksums = {} }) => checksums[algorithm] === undefined);
  if (!missing) return;
  throw invalidCompletion(
    `The upload was started with the checksum ${algorithm}; the completion must have it for each part, and part ${missing.number} has none.`,
  );
}

/** Of the checksums that a client knows, those that can be computed from what the parts have. */
function verifiable(parts: readonly PartRow[], expected: Checksums = {}): Checksums {
  const found: Partial<Record<ChecksumAlgorithm, string>> = {};
  for (const algorithm of Object.keys(expected) as ChecksumAlgorithm[]) {
    const checksum = fullChecksum(algorithm, parts);
    if (checksum !== undefined) found[algorithm] = checksum;
  }
  return found;
}

function assertChecksums(known: Checksums, expected: Checksums = {}): void {
  for (const [algorithm, value] of Object.entries(expected) as [ChecksumAlgorithm, string][]) {
    const actual = known[algorithm];
    if (actual === undefined) {
      throw invalidCompletion(
        `The checksum ${algorithm} of the object cannot be verified: the upload was started without it. Start uploads with the algorithm that their completion has.`,
      );
    }
    if (!isEqual(actual, value)) throw badChecksum(`The object has the ${algorithm} checksum ${actual}, not ${value}.`);
  }
}

/** Some clients leave out the number of parts of a composite checksum. */
const isEqual = (actual: string, sent: string): boolean =>
  actual === sent || (!sent.includes("-") && actual.replace(/-\d+$/, "") === sent);
