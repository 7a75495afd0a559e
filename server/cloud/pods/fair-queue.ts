import { groupedBy } from "../../kernel/grouped";

/** A run that waits for capacity. */
export interface WaitingRun {
  tenantId: string;
  spot: boolean;
  /** null: without GPUs. */
  pool: string | null;
  gpuCount: number;
  createdAt: Date;
}

/** GPUs of a pool that pods of a tenant hold. */
export interface HeldGpus {
  tenantId: string;
  pool: string;
  gpus: number;
}

/**
 * The order in which waiting runs are tried: on-demand before spot; of each, a run of the tenant that holds the fewest
 * GPUs of its pool, and of a tenant's the oldest. What a run gets counts before the next one is chosen, so that tenants
 * with many pods and those with few get equal parts: max-min fairness, by progressive filling (Ghodsi et al., Dominant
 * Resource Fairness, NSDI 2011, with GPUs as the one resource).
 */
export class FairQueue<R extends WaitingRun> {
  readonly #lines: R[][];
  readonly #held = new Map<string, number>();

  constructor(waiting: readonly R[], held: readonly HeldGpus[]) {
    const byAge = [...waiting].sort((a, b) => a.createdAt.getTime() - b.createdAt.getTime());
    this.#lines = [...groupedBy(byAge, (run) => `${run.spot} ${shareKey(run)}`).values()];
    for (const one of held) this.#held.set(shareKey(one), one.gpus);
  }

  /** Takes the run that is next. */
  next(): R | undefined {
    let best: R[] | undefined;
    for (const line of this.#lines) if (line[0] && (!best?.[0] || this.#isBefore(line[0], best[0]))) best = line;
    return best?.shift();
  }

  /** Counts what a run has got. */
  placed(run: R): void {
    this.#held.set(shareKey(run), this.#heldBy(run) + run.gpuCount);
  }

  #isBefore(a: R, b: R): boolean {
    if (a.spot !== b.spot) return b.spot;
    const [heldByA, heldByB] = [this.#heldBy(a), this.#heldBy(b)];
    return heldByA === heldByB ? a.createdAt < b.createdAt : heldByA < heldByB;
  }

  #heldBy(run: R): number {
    return this.#held.get(shareKey(run)) ?? 0;
  }
}

const shareKey = ({ tenantId, pool }: { tenantId: string; pool: string | null }): string => `${tenantId} ${pool ?? ""}`;
