import { groupedBy } from "../../../kernel/grouped";

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
 * GPUs of its pool for its weight, and of a tenant's the oldest. What a run gets counts before the next one is chosen, so
 * that tenants with many pods and those with few get parts in proportion to their weights: weighted max-min fairness, by
 * progressive filling (Ghodsi et al., Dominant Resource Fairness, NSDI 2011, with GPUs as the one resource).
 */
export class FairQueue<R extends WaitingRun> {
  readonly #lines: R[][];
  readonly #held = new Map<string, number>();

  /** `weights` by tenant; 1 for those without one. */
  constructor(
    waiting: readonly R[],
    held: readonly HeldGpus[],
    private readonly weights: ReadonlyMap<string, number> = new Map(),
  ) {
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
    const [shareOfA, shareOfB] = [this.#shareOf(a), this.#shareOf(b)];
    return shareOfA === shareOfB ? a.createdAt < b.createdAt : shareOfA < shareOfB;
  }

  #shareOf(run: R): number {
    return this.#heldBy(run) / (this.weights.get(run.tenantId) ?? 1);
  }

  #heldBy(run: R): number {
    return this.#held.get(shareKey(run)) ?? 0;
  }
}

const shareKey = ({ tenantId, pool }: { tenantId: string; pool: string | null }): string => `${tenantId} ${pool ?? ""}`;
