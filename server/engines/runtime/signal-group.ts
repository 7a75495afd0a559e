/** Sends a signal to the process group that a process leads, or to the process if it leads none. */
export function signalGroup(pid: number, signal: NodeJS.Signals): void {
  for (const target of [-pid, pid]) {
    try {
      process.kill(target, signal);
      return;
    } catch {
      // It leads no group, or it has just ended.
    }
  }
}
