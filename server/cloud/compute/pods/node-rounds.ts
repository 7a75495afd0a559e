import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { type Repeating, repeat } from "../../../kernel/repeat";
import { PodReconciler } from "./pod-reconciler";
import type { PodReconcilerCtx } from "./pod-reconciler-ctx";

/** Changes of pods and of what they use, in any process, wake the rounds of this topic. */
export const PODS_TOPIC = "pods";
/** How often the node is asked what it does; the database is not. */
const OBSERVE_MS = 500;
/**
 * Until a round follows that nothing has woken: with pods, without, on a node that has nothing, and while another process
 * has the node.
 */
const STEADY_MS = 5000;
const IDLE_MS = 30_000;
const EMPTY_MS = 150_000;
const CLAIM_AGAIN_MS = 2000;

export interface NodeRoundsOptions {
  alarms: Pick<StartedAlarms, "add" | "wake">;
  /** Completes "cannot …" in the log. */
  purpose: string;
  /** Called after each round that did not fail. */
  onRound?: () => void;
}

/** Looks after the pods of one node when something has changed, in the database or on the node, until `stop`. */
export class NodeRounds {
  readonly reconciler: PodReconciler;
  readonly #round: RunningRound;
  readonly #observing: Repeating;

  constructor(ctx: Omit<PodReconcilerCtx, "onDone">, { alarms, purpose, onRound }: NodeRoundsOptions) {
    const topic = `pods of ${ctx.node.id}`;
    const wake = () => alarms.wake(topic);
    this.reconciler = new PodReconciler({ ...ctx, onDone: wake });
    this.#round = alarms.add({
      topic,
      wokenBy: [PODS_TOPIC],
      purpose,
      everyMs: () => {
        if (!this.reconciler.isClaimed) return CLAIM_AGAIN_MS;
        return this.reconciler.isEmpty ? EMPTY_MS : this.reconciler.isIdle ? IDLE_MS : STEADY_MS;
      },
      run: async () => {
        const before = this.reconciler.runtime;
        await this.reconciler.round();
        // Pods may have waited for it.
        if (this.reconciler.runtime !== before) alarms.wake(PODS_TOPIC);
        onRound?.();
      },
    });
    this.#observing = repeat({ everyMs: OBSERVE_MS, log: ctx.log, purpose }, async () => {
      if (await this.reconciler.observe()) wake();
    });
  }

  /** `interrupt` ends what a round may wait for. Workloads keep running. */
  async stop(interrupt: () => Promise<void>): Promise<void> {
    const ended = Promise.all([this.#round.stop(), this.#observing.stop()]);
    await interrupt();
    await ended;
    await this.reconciler.stop();
  }
}
