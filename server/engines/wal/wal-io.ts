import { fdatasync, write } from "node:fs";
import type { FileHandle } from "node:fs/promises";

/** What the log does to its segment files, as an argument so that a test can break it. */
export interface WalIo {
  /** Writes part or all of the bytes at a position of the file; answers how many. */
  write(file: FileHandle, bytes: Uint8Array, position: number): Promise<number>;
  /** Resolves when everything written is on the disk. */
  sync(file: FileHandle): Promise<void>;
  truncate(file: FileHandle, bytes: number): Promise<void>;
}

/** The callback calls of `fs` on the same descriptor: half the CPU of the handle's own methods, once a group. */
export const walIo: WalIo = {
  write: (file, bytes, position) =>
    new Promise((resolve, reject) => {
      write(file.fd, bytes, 0, bytes.length, position, (cause, written) => (cause ? reject(cause) : resolve(written)));
    }),
  sync: (file) =>
    new Promise((resolve, reject) => {
      fdatasync(file.fd, (cause) => (cause ? reject(cause) : resolve()));
    }),
  truncate: (file, bytes) => file.truncate(bytes),
};
