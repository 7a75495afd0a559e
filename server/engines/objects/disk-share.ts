import { statfs } from "node:fs/promises";
import { READY_FREE_BYTES_MIN } from "../data-dir";
import { diskFull, onDisk } from "./blob-errors";

/** How long a figure of the file system is used again. */
const FRESH_MS = 1000;

/** In blocks of `bsize` bytes. */
type Space = Record<"blocks" | "bfree" | "bavail" | "bsize", number>;

export interface DiskLimit {
  dir: string;
  /** How much of the disk may be in use, by all files on it: 0 to 1. */
  share: number;
  spaceOf?: (dir: string) => Promise<Space>;
}

/** Returns a check that throws `unavailable` (reason `disk_full`) while more of the disk is in use than is allowed. */
export function limitDisk({ dir, share, spaceOf = (of) => statfs(of) }: DiskLimit): () => Promise<void> {
  let known: { at: number; space: Promise<Space> } | undefined;
  return async () => {
    const now = performance.now();
    if (!known || now - known.at >= FRESH_MS) known = { at: now, space: spaceOf(dir) };
    const { blocks, bfree, bavail, bsize } = await onDisk(known.space);
    const used = blocks - bfree;
    // As `df` computes it: blocks that are reserved for root count as neither.
    const usedShare = used / Math.max(1, used + bavail);
    if (usedShare <= share && bavail * bsize >= READY_FREE_BYTES_MIN) return;
    throw diskFull(
      `The disk of stored objects is ${percent(usedShare)} full, and svc stores objects up to ${percent(share)}: delete objects, enlarge the disk, or raise SVC_OBJECTS_DISK_SHARE.`,
    );
  };
}

const percent = (share: number): string => `${Math.floor(share * 1000) / 10} %`;
