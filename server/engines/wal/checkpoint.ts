import { randomUUID } from "node:crypto";
import { type FileHandle, open, rename } from "node:fs/promises";
import path from "node:path";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { undefinedIfMissing } from "../file-failures";
import { syncFolder } from "./sync-folder";

const count = z.number().int().min(0);
const Checkpoint = z.object({
  /** Identifies the log; the prefix of the tokens of segments without a journal. */
  logId: z.uuid(),
  /** Everything before it is acknowledged. */
  done: z.object({ segment: count, offset: count }),
  /**
   * Slices in flight, oldest first; their bounds never change. An acknowledged one waits for those before it; `id` is
   * the prefix of its token.
   */
  slices: z.array(
    z.object({ segment: count, start: count, end: count, acked: z.boolean(), id: z.string().max(36).optional() }),
  ),
});

/** How far a log has been delivered. */
type Checkpoint = z.infer<typeof Checkpoint>;
export type SliceBounds = Checkpoint["slices"][number];

const SLOT_BYTES = 4096;
export const CHECKPOINT_FILE = "checkpoint";

/**
 * The stored checkpoint: two slots that are overwritten in turn, each `<crc32> <sequence> <JSON>`. A write that a crash
 * interrupts leaves the other slot intact, and no write needs more disk space, so a log on a full disk can still be
 * drained.
 */
export class CheckpointFile {
  readonly #handle: FileHandle;
  #value: Checkpoint;
  #sequence: number;

  private constructor(handle: FileHandle, value: Checkpoint, sequence: number) {
    this.#handle = handle;
    this.#value = value;
    this.#sequence = sequence;
  }

  /**
   * Opens the checkpoint of a folder. A folder without a readable one gets the start of a new log, and `isNew` is set.
   */
  static async open(dir: string): Promise<{ checkpoint: CheckpointFile; isNew: boolean }> {
    const file = path.join(dir, CHECKPOINT_FILE);
    const handle = await undefinedIfMissing(open(file, "r+"));
    const newest = handle && (await newestSlot(handle));
    if (newest) return { checkpoint: new CheckpointFile(handle, newest.value, newest.sequence), isNew: false };
    await handle?.close();
    const value: Checkpoint = { logId: randomUUID(), done: { segment: 0, offset: 0 }, slices: [] };
    return { checkpoint: new CheckpointFile(await createFile(dir, file, value), value, 1), isNew: true };
  }

  get value(): Checkpoint {
    return this.#value;
  }

  /** Resolves when the new value is on the disk; if it rejects, the old value still applies. */
  async save(value: Checkpoint): Promise<void> {
    const sequence = this.#sequence + 1;
    const slot = encodeSlot(value, sequence);
    const { bytesWritten } = await this.#handle.write(slot, 0, SLOT_BYTES, (sequence % 2) * SLOT_BYTES);
    if (bytesWritten < SLOT_BYTES) throw new Error("The checkpoint was written only in part.");
    await this.#handle.datasync();
    this.#value = value;
    this.#sequence = sequence;
  }

  close(): Promise<void> {
    return this.#handle.close();
  }
}

/**
 * How far a log has been delivered, whichever process has it open; undefined for a folder without a readable
 * checkpoint.
 */
export async function readCheckpoint(dir: string): Promise<Checkpoint | undefined> {
  const handle = await open(path.join(dir, CHECKPOINT_FILE), "r").catch(() => undefined);
  try {
    return handle && (await newestSlot(handle))?.value;
  } finally {
    await handle?.close();
  }
}

async function createFile(dir: string, file: string, fresh: Checkpoint): Promise<FileHandle> {
  const handle = await open(`${file}.new`, "w+");
  await handle.writeFile(Buffer.concat([encodeSlot(fresh, 0), encodeSlot(fresh, 1)]));
  await handle.sync();
  await rename(`${file}.new`, file);
  await syncFolder(dir);
  return handle;
}

function encodeSlot(value: Checkpoint, sequence: number): Buffer {
  const text = `${sequence} ${JSON.stringify(value)}`;
  const slot = Buffer.alloc(SLOT_BYTES, " ");
  const written = slot.write(`${crc32(text).toString(16).padStart(8, "0")} ${text}`);
  if (written < text.length + 9) throw new RangeError("Too many slices are in flight for one checkpoint.");
  return slot;
}

async function newestSlot(handle: FileHandle): ReturnType<typeof readSlot> {
  const slots = await Promise.all([0, 1].map((slot) => readSlot(handle, slot)));
  return slots.reduce((a, b) => ((a?.sequence ?? -1) > (b?.sequence ?? -1) ? a : b));
}

async function readSlot(
  handle: FileHandle,
  slot: number,
): Promise<{ sequence: number; value: Checkpoint } | undefined> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(SLOT_BYTES), 0, SLOT_BYTES, slot * SLOT_BYTES);
  const content = buffer.toString("utf8", 0, bytesRead).trimEnd();
  const text = content.slice(9);
  if (content.slice(0, 8) !== crc32(text).toString(16).padStart(8, "0")) return undefined;
  const json = text.indexOf(" ");
  return { sequence: Number(text.slice(0, json)), value: Checkpoint.parse(JSON.parse(text.slice(json))) };
}
