import { fdatasync, write } from "node:fs";
import { type FileHandle, rm } from "node:fs/promises";
import { syncFolder } from "./sync-folder";

/** The file operations of the log, as an argument so that a test can make them fail. */
export interface WalIo {
  /** Writes part or all of the bytes at a position of the file; returns how many. */
  write(file: FileHandle, bytes: Uint8Array, position: number): Promise<number>;
  /** Resolves when everything written is on the disk. */
  sync(file: FileHandle): Promise<void>;
  truncate(file: FileHandle, bytes: number): Promise<void>;
  /** Removes a name; it can reappear after a power loss until `syncFolder`. */
  remove(file: string): Promise<void>;
  syncFolder(dir: string): Promise<void>;
}

/**
 * The callback functions of `fs` on the same descriptor: half the CPU time of the handle's own methods, once per group.
 */
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
  remove: (file) => rm(file, { force: true }),
  syncFolder,
};
