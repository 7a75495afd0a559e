import type { PodRun } from "../../../engines/postgres/generated/client";
import type { Observation, Runtime } from "../../../engines/runtime/runtime";
import type { Clock } from "../../../kernel/clock";

/** When this process, which looks at its node each second, last saw runs running. */
export class SeenRuns {
  readonly #at = new Map<string, Date>();

  constructor(readonly clock: Clock) {}

  async observe(runtime: Pick<Runtime, "observe">, id: string): Promise<Observation> {
    const now = this.clock.now();
    const observed = await runtime.observe(id);
    if (observed.state === "running") this.#at.set(id, now);
    return observed;
  }

  /** Forgets all other runs. */
  keepOnly(runs: readonly { id: string }[]): void {
    const ids = new Set(runs.map(({ id }) => id));
    for (const id of this.#at.keys()) if (!ids.has(id)) this.#at.delete(id);
  }

  /**
   * When a run that is lost was last known to run, which is its end. Its record is written every few seconds, and not
   * while a step of it is under way.
   */
  lastSeen({ id, observedAt, startedAt }: Pick<PodRun, "id" | "observedAt" | "startedAt">): Date | undefined {
    const times = [observedAt, startedAt, this.#at.get(id)].flatMap((time) => time?.getTime() ?? []);
    return times.length === 0 ? undefined : new Date(Math.max(...times));
  }
}
