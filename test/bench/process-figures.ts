import { readdirSync, readFileSync } from "node:fs";
import { commandOf, processTree } from "../factories/process-tree";

/** Ticks of `utime` and `stime` a second, which is the same on all Linux systems (USER_HZ). */
const TICKS_PER_SECOND = 100;

export const PARTS = ["Node", "PostgreSQL", "ClickHouse", "other"] as const;
export type Part = (typeof PARTS)[number];

/** What a part of svc uses while nothing is asked of it. */
export interface PartFigures {
  /** Processor time, in percent of one core. */
  cpuPercent: number;
  /** Resident memory; of PostgreSQL the proportional set size, because its processes share their buffers. */
  memoryMb: number;
  /** Voluntary context switches of all threads. */
  wakeUpsPerSecond: number;
}

export type Counted = ReadonlyMap<number, { part: Part; ticks: number; wakeUps: number }>;

/** Counts of the processes of a running svc, by process id; Linux only. */
export function countProcesses(root: number): Counted {
  return new Map(
    processTree(root).map((pid) => [pid, { part: partOf(pid, root), ticks: ticksOf(pid), wakeUps: wakeUpsOf(pid) }]),
  );
}

/** The figures between two counts; processes that ended or began meanwhile count from or until then. */
export function figuresOf(before: Counted, after: Counted, seconds: number): Record<Part, PartFigures> {
  const figures = (part: Part): PartFigures => {
    const own = [...after].filter(([, counted]) => counted.part === part);
    const sum = (field: "ticks" | "wakeUps") =>
      own.reduce((total, [pid, counted]) => total + counted[field] - (before.get(pid)?.[field] ?? 0), 0);
    const memoryMb = own.reduce((total, [pid]) => total + memoryMbOf(pid, part === "PostgreSQL" ? "Pss" : "Rss"), 0);
    const cpuPercent = (100 * sum("ticks")) / TICKS_PER_SECOND / seconds;
    return { cpuPercent, memoryMb, wakeUpsPerSecond: sum("wakeUps") / seconds };
  };
  return Object.fromEntries(PARTS.map((part) => [part, figures(part)])) as Record<Part, PartFigures>;
}

/** The watcher of PostgreSQL and workloads are `other`. */
function partOf(pid: number, root: number): Part {
  if (pid === root) return "Node";
  const command = commandOf(pid);
  if (command.includes("/clickhouse/sidecar.mjs ")) return "ClickHouse";
  return /^postgres: |\/bin\/postgres /.test(command) ? "PostgreSQL" : "other";
}

function ticksOf(pid: number): number {
  const stat = textOf(`/proc/${pid}/stat`);
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return user + system;
}

function wakeUpsOf(pid: number): number {
  const threads = namesIn(`/proc/${pid}/task`);
  return threads.reduce((sum, thread) => {
    const status = textOf(`/proc/${pid}/task/${thread}/status`);
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)?.[1] ?? 0);
  }, 0);
}

function memoryMbOf(pid: number, kind: "Rss" | "Pss"): number {
  const kib = new RegExp(`^${kind}:\\s+(\\d+) kB`, "m").exec(textOf(`/proc/${pid}/smaps_rollup`))?.[1];
  return Number(kib ?? 0) / 1024;
}

/** Empty for a process that has ended meanwhile. */
function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
