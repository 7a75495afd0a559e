import os from "node:os";

/**
 * The thread that calls this comes after the main thread, which answers everybody, where the cores do not suffice. Does
 * nothing except on Linux, where each thread has a priority of its own (setpriority(2)).
 */
export function lowerThreadPriority(): void {
  if (process.platform === "linux") os.setPriority(os.constants.priority.PRIORITY_BELOW_NORMAL);
}
