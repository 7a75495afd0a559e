import os from "node:os";

const SIGNAL_BASE = 128;
const NAMES = new Map(Object.entries(os.constants.signals).map(([name, number]) => [number, name as NodeJS.Signals]));

/**
 * How a process ended. Container engines report a signal as the exit code 128 + its number, so that a program that exits
 * with such a code on its own is taken for one that a signal ended.
 */
export function exitOf(
  code: number,
  signalNumber: number | undefined,
): { exitCode: number | null; signal: NodeJS.Signals | null } {
  const signal = NAMES.get(signalNumber || code - SIGNAL_BASE);
  return signal ? { exitCode: null, signal } : { exitCode: code, signal: null };
}
