import { FairSemaphore } from "../../../kernel/fair-semaphore";

/** Steps mostly wait for others, such as the programs of tenants and the APIs of engines. */
const STEPS_OF_KIND_MAX = 32;
/** A tenant alone takes four steps at a time. */
const TENANT_OF_FREE = 1 / 7;
/** What more of them are due wait for the next claim. */
const WAITING_OF_TENANT_MAX = 500;

export interface Lane {
  /** Of the resource: `gpuc/instance/vm`. */
  kind: string;
  tenantId: string;
}

/**
 * The steps that this process takes, on behalf of calls and in the background. Each kind has a lane of its own, in which
 * tenants take turns: a step that takes long delays those of its tenant and kind only.
 */
export class ResourceLanes {
  readonly #lanes = new Map<string, FairSemaphore>();
  readonly #running = new Set<Promise<void>>();
  /** Steps that wait, by the id of their resource. */
  readonly #waiting = new Map<string, Promise<void>>();
  /** Looks that have not ended, also those that outlive their time limit. */
  readonly #looks = new Set<string>();

  /**
   * Runs a task in its turn, unless too many of the tenant wait: what it would do is due again later. It must not throw.
   * Resolves when it has ended.
   */
  add({ kind, tenantId }: Lane, task: () => Promise<void>): Promise<void> {
    const lane = this.#laneOf(kind);
    if (lane.waitingOf(tenantId) >= WAITING_OF_TENANT_MAX) return Promise.resolve();
    const running = lane.run(tenantId, task);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return running;
  }

  /** Takes a step of a resource in its turn; one that waits already serves all who ask. Resolves when it has ended. */
  addStep(lane: Lane & { rid: string }, step: () => Promise<void>): Promise<void> {
    const { rid } = lane;
    const waiting = this.#waiting.get(rid);
    if (waiting) return waiting;
    let hasBegun = false;
    const ended = this.add(lane, () => {
      hasBegun = true;
      this.#waiting.delete(rid);
      return step();
    });
    const forget = () => {
      if (this.#waiting.get(rid) === ended) this.#waiting.delete(rid);
    };
    if (!hasBegun) this.#waiting.set(rid, ended);
    // Also one that was left out.
    void ended.then(forget);
    return ended;
  }

  /**
   * Begins a look at effects of a kind together. Returns what ends it; undefined while an earlier one has not ended, so
   * that no second one begins beside it.
   */
  beginLook({ kind, tenantId }: Lane): (() => void) | undefined {
    const key = `${kind} ${tenantId}`;
    if (this.#looks.has(key)) return undefined;
    this.#looks.add(key);
    return () => this.#looks.delete(key);
  }

  /** Resolves when no step waits or runs. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #laneOf(kind: string): FairSemaphore {
    const lane = this.#lanes.get(kind) ?? new FairSemaphore(STEPS_OF_KIND_MAX, TENANT_OF_FREE);
    this.#lanes.set(kind, lane);
    return lane;
  }
}
