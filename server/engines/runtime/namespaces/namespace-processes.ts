import { readdir, readlink } from "node:fs/promises";
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
