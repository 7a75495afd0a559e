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
 * The steps that this process takes in the background. Each kind has a lane of its own, in which tenants take turns: a
 * step that takes long delays those of its tenant and kind only.
 */
export class ResourceLanes {
  readonly #lanes = new Map<string, FairSemaphore>();
  readonly #running = new Set<Promise<void>>();
  /** Resources with a step that waits or runs. */
  readonly #rids = new Set<string>();

  /** Runs a task in its turn, unless too many of the tenant wait: what it would do is due again later. It must not throw. */
  add({ kind, tenantId }: Lane, task: () => Promise<void>): void {
    const lane = this.#laneOf(kind);
    if (lane.waitingOf(tenantId) >= WAITING_OF_TENANT_MAX) return;
    const running = lane.run(tenantId, task);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
  }

  /** Takes a step of a resource in its turn, unless one waits already. */
  addStep(lane: Lane & { rid: string }, step: () => Promise<void>): void {
    const { rid } = lane;
    if (this.#rids.has(rid) || this.#laneOf(lane.kind).waitingOf(lane.tenantId) >= WAITING_OF_TENANT_MAX) return;
    this.#rids.add(rid);
    this.add(lane, () => {
      this.#rids.delete(rid);
      return step();
    });
  }

  /** Resolves when no step waits or runs. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }

  #laneOf(kind: string): FairSemaphore {
    const lane = this.#lanes.get(kind) ?? new FairSemaphore(STEPS_OF_KIND_MAX, TENANT_OF_FREE);
    this.#lanes.set(kind, lane);
    return lane;
  }
}
