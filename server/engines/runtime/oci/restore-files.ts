import type { Readable } from "node:stream";
import { RuntimeError } from "../runtime";
import type { OverlayMark } from "./layer-marks";
import { type UnpackLimits, unpackLayer } from "./unpack-layer";

export interface RestoreFiles {
  restore: Readable | undefined;
  signal: AbortSignal;
  /** The folder of the files that a workload changes in its image. */
  rootOf: () => Promise<string>;
  limits: UnpackLimits;
  idBase: number | undefined;
  writeMarks: (root: string, marks: readonly OverlayMark[]) => Promise<void>;
}

/** Restores the snapshot of a workload that is being prepared, if there is one. Throws `start_failed`. */
export async function restoreFiles({ restore, signal, rootOf, limits, idBase, writeMarks }: RestoreFiles) {
  if (!restore) return;
  const stop = () => restore.destroy(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    const root = await rootOf();
    const { marks } = await unpackLayer(restore, { root, limits, idBase });
    await writeMarks(root, marks);
  } catch (cause) {
    signal.throwIfAborted();
    if (!(cause instanceof RuntimeError)) throw cause;
    throw new RuntimeError("start_failed", `The snapshot cannot be restored: ${cause.message}`, { cause });
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
