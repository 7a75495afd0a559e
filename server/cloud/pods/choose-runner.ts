/** Why a pod cannot run now. */
export interface Blocked {
  code:
    | ("no_gpus" | "no_memory" | "no_disk" | "no_machine" | "volume_away" | "machine_away")
    | ("reclaiming_spot" | "gang_incomplete" | "node_upgrading");
  message: string;
}

/** A machine that runs workloads, and what its runs reserve. */
export interface RunnerRoom {
  id: string;
  memoryMb: number;
  usedMb: number;
  /** GiB; null: it is not known how many there are. */
  volumesGb?: number | null;
  usedVolumesGb?: number;
}

export interface NeededRoom {
  memoryMb: number;
  /** null: it has none. */
  volumeGb?: number | null;
  /** The machine that has its volume. */
  homeId?: string | undefined;
}

/**
 * The machine that has the volume, or else the one with the most free memory, the first among equals; or why none has
 * enough.
 */
export function chooseRunner(runners: readonly RunnerRoom[], needed: NeededRoom): { runnerId: string } | Blocked {
  const { memoryMb, homeId } = needed;
  const [most] = byFree(runners, freeMb);
  if (!most) return { code: "no_machine", message: "No machine that can run pods is running at present." };
  const home = runners.find(({ id }) => id === homeId);
  if (home && freeMb(home) >= memoryMb) return { runnerId: home.id };
  const where = runners.length === 1 ? "this installation" : "the machine with the most room";
  if (freeMb(most) < memoryMb) {
    const left = `${Math.max(0, freeMb(most))} of ${most.memoryMb} MiB`;
    return { code: "no_memory", message: `The pod needs ${memoryMb} MiB of memory; ${left} are free on ${where}.` };
  }
  const { volumeGb } = needed;
  const [best] = byFree(
    runners.filter((runner) => freeGb(runner) >= (volumeGb ?? 0)),
    freeMb,
  );
  if (best && freeMb(best) >= memoryMb) return { runnerId: best.id };
  const [roomiest = most] = byFree(runners, freeGb);
  const left = `${Math.max(0, freeGb(roomiest))} of ${roomiest.volumesGb ?? 0} GiB`;
  const message = `The pod needs ${volumeGb} GiB of disk for its volume; ${left} are free on ${where}.`;
  if (!best) return { code: "no_disk", message };
  return {
    code: "no_memory",
    message: `No machine has both ${memoryMb} MiB of memory and ${volumeGb} GiB of disk free.`,
  };
}

const freeMb = ({ memoryMb, usedMb }: RunnerRoom): number => memoryMb - usedMb;

const freeGb = ({ volumesGb, usedVolumesGb = 0 }: RunnerRoom): number =>
  volumesGb == null ? Number.POSITIVE_INFINITY : volumesGb - usedVolumesGb;

const byFree = (runners: readonly RunnerRoom[], free: (runner: RunnerRoom) => number): RunnerRoom[] =>
  [...runners].sort((a, b) => free(b) - free(a));
