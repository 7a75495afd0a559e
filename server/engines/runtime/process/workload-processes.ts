import { readdir, readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { isAlive } from "../../file-lock.mjs";
import { killIfRunning } from "../namespaces/namespace-processes";
import type { ProcessMark } from "../namespaces/workload-folder";
import { RuntimeError } from "../runtime";

export interface WorkloadOwner {
  /** The variable that processes of the workload have, `NAME=value`. */
  mark: string;
  supervisor?: ProcessMark | undefined;
  /** The first process of the program, which leads a session. */
  first?: ProcessMark | undefined;
}

interface RunningProcess {
  pid: number;
  parent: number;
  session: number;
}

const POLL_MS = 5;
const KILL_WAIT_MS = 30_000;

/**
 * The processes of a workload: the descendants of its supervisor and of its first process, the session of that, and all
 * that have the mark. A process is not found that has left its session, has another environment, and whose parents have
 * ended after the supervisor was killed.
 */
export async function processesOf({ mark, supervisor, first }: WorkloadOwner): Promise<number[]> {
  const running = await runningProcesses();
  const roots = [supervisor, first].flatMap((one) => (one && isAlive(one) ? [one.pid] : []));
  const sessionOf = first && isAlive(first) ? first.pid : undefined;
  const parents = new Map(running.map(({ pid, parent }) => [pid, parent]));
  const isOfWorkload = async ({ pid, session }: RunningProcess): Promise<boolean> => {
    if (pid === supervisor?.pid || pid === process.pid) return false;
    return session === sessionOf || roots.includes(pid) || isBelow(pid, { roots, parents }) || hasMark(pid, mark);
  };
  const areOfWorkload = await Promise.all(running.map(isOfWorkload));
  return running.filter((_, i) => areOfWorkload[i]).map(({ pid }) => pid);
}

/** Sends a signal to every process of a workload. */
export async function signalProcesses(owner: WorkloadOwner, signal: NodeJS.Signals): Promise<void> {
  for (const pid of await processesOf(owner)) killIfRunning(pid, signal);
}

/** Kills all processes of a workload. Throws `not_ended` if there are some after 30 s. */
export async function endProcesses(owner: WorkloadOwner): Promise<void> {
  for (const begin = performance.now(); performance.now() - begin < KILL_WAIT_MS; await sleep(POLL_MS)) {
    const pids = await processesOf(owner);
    if (pids.length === 0) return;
    for (const pid of pids) killIfRunning(pid, "SIGKILL");
  }
  throw new RuntimeError("not_ended", "The workload has not ended although it was killed.");
}

function isBelow(
  pid: number,
  { roots, parents }: { roots: readonly number[]; parents: ReadonlyMap<number, number> },
): boolean {
  let next = parents.get(pid);
  // Ids that were used again meanwhile could lead in a circle.
  for (let steps = 0; next !== undefined && steps < parents.size; steps++) {
    if (roots.includes(next)) return true;
    next = parents.get(next);
  }
  return false;
}

/** Without those that only wait for their parent to see their end. */
async function runningProcesses(): Promise<RunningProcess[]> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
  const stats = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/stat`, "utf8").catch(() => "")));
  return stats.flatMap((line, i) => {
    const [state = "X", parent, , session] = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return /[ZX]/.test(state) ? [] : [{ pid: Number(pids[i]), parent: Number(parent), session: Number(session) }];
  });
}

/** Other users' processes cannot be read, and are none of a workload. */
async function hasMark(pid: number, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, "utf8").catch(() => "");
  return environment.split("\0").includes(mark);
}
