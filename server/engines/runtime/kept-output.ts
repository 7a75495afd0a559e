import { PassThrough, type Readable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";

/** An output that is silent for so long after the end of its program has no more of it. */
const LOOK_MS = 250;
/** A process that was left behind may write all the time. */
const LOOKS_MAX = 8;
/** More than the kernel keeps of what a program wrote before its end: what exceeds it is of a process left behind. */
const LAST_BYTES_MAX = 4 * 1024 * 1024;

/**
 * The output of a child process, for a reader that may come after its end: what nobody has begun to read when a process
 * exits, Node discards. It ends soon after `exited`, even if others have it open.
 */
export function keptOutput(source: Source | null, exited: Promise<unknown>): PassThrough {
  const output = new PassThrough();
  output.on("error", () => {});
  if (!source) return output.end();
  const end = () => void output.end();
  source.on("error", end).on("close", end).pipe(output);
  output.once("close", () => source.destroy());
  void endAfterExit({ source, outputs: [output], exited });
  return output;
}

/** A pipe or a connection. */
export type Source = Readable & { bytesRead?: number };

interface LastOutput {
  source: Source;
  /** What the source is passed on to; they end when it closes. */
  outputs: readonly PassThrough[];
  exited: Promise<unknown>;
}

/**
 * Destroys the source of a program's outputs soon after the program: when the readers have what it wrote and nothing more
 * comes, or more has come than it can have written.
 */
export async function endAfterExit({ source, outputs, exited }: LastOutput): Promise<void> {
  await exited.catch(() => undefined);
  const bytesRead = () => source.bytesRead ?? 0;
  const bytesMax = bytesRead() + LAST_BYTES_MAX;
  for (let look = 1; !source.destroyed; look++) {
    const before = bytesRead();
    await sleep(LOOK_MS);
    // A reader that is behind keeps the rest from being read.
    const isBehind = outputs.some((output) => output.writableNeedDrain && !output.destroyed);
    const hasAll = !isBehind && (bytesRead() === before || look >= LOOKS_MAX);
    if (hasAll || bytesRead() > bytesMax) break;
  }
  source.destroy();
}
