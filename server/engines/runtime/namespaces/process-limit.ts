import os from "node:os";
import type { WorkloadLimits } from "../runtime";
import { processesOfHost } from "./kernel-limits";

/** What workloads share, each according to its memory: the memory of all together is not above that of the node. */
export interface HostProcesses {
  /** Processes and threads of all workloads together. */
  processes: number;
  memoryBytes: number;
}

const PIDS_DEFAULT = 4096;
/** A shell with a few programs works with so many, whatever share of the node it has. */
const PIDS_MIN = 16;

/** The processes that a workload may have, so that all together leave enough for svc and the node. */
export function processLimit({ pids = PIDS_DEFAULT, memoryBytes }: WorkloadLimits, node: HostProcesses): number {
  if (memoryBytes === undefined) return pids;
  return Math.min(pids, Math.max(PIDS_MIN, Math.floor((node.processes * memoryBytes) / node.memoryBytes)));
}

export const hostProcesses = async (): Promise<HostProcesses> => ({
  processes: await processesOfHost(),
  memoryBytes: os.totalmem(),
});
