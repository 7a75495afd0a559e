import { readFileSync } from "node:fs";

const PAGE_BYTES = 4096;
/** USER_HZ, which is 100 on every architecture of Node. */
const TICK_MS = 10;
/** The fields of /proc/<pid>/stat after the name of the program, which may contain anything. */
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

export interface ProcessUsage {
  residentBytes: number;
  /** Processor time since its start. */
  cpuMs: number;
}

/** undefined if the process has ended. Synchronous, because /proc has the text in memory. */
export function processUsage(pid: number): ProcessUsage | undefined {
  try {
    const [, resident] = readFileSync(`/proc/${pid}/statm`, "latin1").split(" ");
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const ticks = Number(fields[USER_TICKS]) + Number(fields[SYSTEM_TICKS]);
    return { residentBytes: Number(resident) * PAGE_BYTES, cpuMs: ticks * TICK_MS };
  } catch {
    return undefined;
  }
}
