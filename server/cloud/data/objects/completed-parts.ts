import type { PartRow, UploadRow } from "./changes";
import { compositeChecksum, fullChecksum, multipartEtag } from "./checksums";
import { badChecksum, invalidPart, invalidPartOrder, OBJECT_BYTES_MAX, partTooSmall, tooLarge } from "./object-errors";
import type { ChecksumAlgorithm, Checksums, CompletedPart, CompletedUpload } from "./objects";

/** S3's minimum of all parts but the last. */
export const PART_BYTES_MIN = 5 * 1024 * 1024;

/** The stored parts that a completion names, in order; throws what is wrong with them. */
export function chosenParts(wanted: readonly CompletedPart[], stored: ReadonlyMap<number, PartRow>): PartRow[] {
  if (wanted.length === 0) throw invalidPart("An upload is completed with at least one part.");
  const chosen = wanted.map((part, index) => {
    const before = wanted[index - 1];
    if (before && before.number >= part.number) {
      throw invalidPartOrder("The parts must be in ascending order of their numbers, each once.");
    }
    return storedPart(part, stored);
  });
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

/** What the object of these parts is; throws `bad_checksum` if the client knows another checksum. */
export function assembled({ algorithm, checksumType }: UploadRow, parts: readonly PartRow[], upload: CompletedUpload) {
  const type = checksumType ?? (algorithm === "CRC64NVME" ? "FULL_OBJECT" : "COMPOSITE");
  const checksum = algorithm && (type === "FULL_OBJECT" ? fullChecksum : compositeChecksum)(algorithm, parts);
  const checksums: Checksums = algorithm && checksum !== undefined ? { [algorithm]: checksum } : {};
  for (const [each, expected] of Object.entries(upload.checksums ?? {}) as [ChecksumAlgorithm, string][]) {
    const known = checksums[each];
    if (known !== undefined && bare(known) !== bare(expected)) {
      throw badChecksum(`The object has the ${each} checksum ${known}, not ${expected}.`);
    }
  }
  return {
    size: sizeOf(parts),
    etag: multipartEtag(parts.map(({ etag }) => etag)),
    checksums,
    checksumType: checksum === undefined ? ("FULL_OBJECT" as const) : type,
    parts: parts.map(({ number, suffix, size }) => [number, suffix, size] as const),
  };
}

/** Some clients leave out the number of parts of a composite checksum. */
const bare = (checksum: string): string => checksum.replace(/-\d+$/, "");
