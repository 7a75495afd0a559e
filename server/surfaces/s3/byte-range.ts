import { S3Error } from "./s3-error";

export interface ByteRange {
  start: number;
  /** After the last byte. */
  end: number;
}

/**
 * The range that a Range header asks for. Undefined, for the whole object: several ranges and malformed ones, which S3
 * ignores. Throws `InvalidRange` if no byte of the object is in it.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | undefined {
  const [, first = "", last = ""] = /^bytes=(\d*)-(\d*)$/.exec(header?.replaceAll(" ", "") ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  const start = first === "" ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === "" || last === "" ? size : Math.min(size, Number(last) + 1);
  if (first !== "" && last !== "" && Number(last) < Number(first)) return undefined;
  if (start < size && start < end) return { start, end };
  throw new S3Error("InvalidRange", "The requested range cannot be satisfied.", {
    headers: { "content-range": `bytes */${size}` },
  });
}

/** The range of a part, by its number from 1. Throws `InvalidPartNumber`. */
export function partRange(
  partNumber: string,
  { size, partSizes = [size] }: { size: number; partSizes?: readonly number[] },
): ByteRange {
  const number = parsePartNumber(partNumber);
  const length = partSizes[number - 1];
  if (length === undefined) {
    throw new S3Error("InvalidPartNumber", `The object has ${partSizes.length} parts; there is no part ${number}.`);
  }
  const start = partSizes.slice(0, number - 1).reduce((sum, bytes) => sum + bytes, 0);
  return { start, end: start + length };
}

/** 1 to 10,000, from "Amazon S3 multipart upload limits". */
export function parsePartNumber(text: string): number {
  const number = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= 10_000) return number;
  throw new S3Error("InvalidArgument", "partNumber must be a whole number from 1 to 10000.");
}
