const PART_BYTES = 5 * 1024 ** 2;

/** What is stored under a key by its first, second, … put. */
export const contentFor = (key: string, version: number): Buffer => Buffer.from(`${key}#${version};`.repeat(500));

/** The parts of the multipart upload of a key: large enough for S3, and a rest. */
export const partsFor = (key: string, version: number): [Buffer, Buffer] => [
  Buffer.alloc(PART_BYTES, contentFor(key, version)),
  contentFor(key, version),
];

export const isMultipart = (key: string): boolean => key.startsWith("multipart");
