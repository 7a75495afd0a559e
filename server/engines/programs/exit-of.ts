import os from "node:os";

/** `exitCode` is null for a program that was killed by `signal`. */
export interface ProgramExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

const SIGNAL_NAMES = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name]));

/** The exit of a process from its wait status. */
export function exitOf(status: number): ProgramExit {
  const number = status & 0x7f;
  if (number === 0) return { exitCode: status >> 8, signal: null };
  return { exitCode: null, signal: (SIGNAL_NAMES.get(number) ?? "SIGKILL") as NodeJS.Signals };
}
