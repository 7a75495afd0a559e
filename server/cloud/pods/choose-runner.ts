/** Why a pod cannot run now. */
export interface Blocked {
  code: "no_gpus" | "no_memory" | "no_machine" | "reclaiming_spot" | "gang_incomplete";
  message: string;
}

/** A machine that runs workloads, and the memory that its runs reserve. */
export interface RunnerMemory {
  id: string;
  memoryMb: number;
  usedMb: number;
}

/** The machine with the most free memory, the first among equals; or why none has enough. */
export function chooseRunner(runners: readonly RunnerMemory[], memoryMb: number): { runnerId: string } | Blocked {
  const free = ({ memoryMb: all, usedMb }: RunnerMemory): number => all - usedMb;
  const [best] = [...runners].sort((a, b) => free(b) - free(a));
  if (!best) return { code: "no_machine", message: "No machine that can run pods is running at present." };
  if (free(best) >= memoryMb) return { runnerId: best.id };
  const left = `${Math.max(0, free(best))} of ${best.memoryMb} MiB`;
  const where = runners.length === 1 ? "this installation" : "the machine with the most room";
  return { code: "no_memory", message: `The pod needs ${memoryMb} MiB of memory; ${left} are free on ${where}.` };
}
