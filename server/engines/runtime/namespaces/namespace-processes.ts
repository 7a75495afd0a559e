import { readdir, readFile, readlink } from "node:fs/promises";
import os from "node:os";
import { isAlive } from "../../file-lock.mjs";
import type { ProcessMark } from "./workload-folder";

/** Sends a signal to every process in the process-id namespace of a workload; a workload that has ended is ignored. */
export async function signalNamespace(first: ProcessMark, signal: NodeJS.Signals): Promise<void> {
  // The kernel ends a namespace with its first process, however many processes are being created.
  if (signal === "SIGKILL") return sendSignal(first, signal);
  const namespace = await namespaceOf(first.pid);
  if (namespace === undefined || !isAlive(first)) return;
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    if (Number.isInteger(pid) && (await namespaceOf(pid)) === namespace) killIfRunning(pid, signal);
  }
}

/**
 * Sends a signal to every process of a namespace when it is called for the first time, and again to the first process, for
 * which the kernel drops signals without a handler: a program that has just been started has yet to set one. Resolves to
 * whether that has taken the signal.
 */
export function stopOf(first: ProcessMark, signal: NodeJS.Signals): () => Promise<boolean> {
  let isSent = false;
  return async () => {
    const isTaken = await takesSignal(first, signal);
    if (!isSent) await signalNamespace(first, signal);
    else if (isTaken) sendSignal(first, signal);
    isSent = true;
    return isTaken;
  };
}

async function takesSignal(first: ProcessMark, signal: NodeJS.Signals): Promise<boolean> {
  const status = await readFile(`/proc/${first.pid}/status`, "utf8").catch(() => "");
  const bit = 1n << BigInt(os.constants.signals[signal] - 1);
  // Of proc(5): caught, ignored and blocked signals.
  const masks = [...status.matchAll(/^Sig(?:Cgt|Ign|Blk):\s*([0-9a-f]+)$/gm)];
  return masks.some(([, mask]) => (BigInt(`0x${mask}`) & bit) !== 0n);
}

function sendSignal(to: ProcessMark, signal: NodeJS.Signals): void {
  if (isAlive(to)) killIfRunning(to.pid, signal);
}

export function killIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has just ended.
  }
}

/** Undefined for a process that has ended. */
const namespaceOf = (pid: number): Promise<string | undefined> =>
  readlink(`/proc/${pid}/ns/pid`).catch(() => undefined);
