import type { FileHandle } from "node:fs/promises";

/** What the log does to its segment files, as an argument so that a test can break it. */
export interface WalIo {
  /** Writes part or all of the bytes at a position of the file; answers how many. */
  write(file: FileHandle, bytes: Uint8Array, position: number): Promise<number>;
  /** Resolves when everything written is on the disk. */
  sync(file: FileHandle): Promise<void>;
  truncate(file: FileHandle, bytes: number): Promise<void>;
}

export const walIo: WalIo = {
  write: async (file, bytes, position) => (await file.write(bytes, 0, bytes.length, position)).bytesWritten,
  sync: (file) => file.datasync(),
  truncate: (file, bytes) => file.truncate(bytes),
};
