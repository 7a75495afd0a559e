import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { type Repeating, repeat } from "../../../kernel/repeat";
import { PodReconciler } from "./pod-reconciler";
import type { PodReconcilerCtx } from "./pod-reconciler-ctx";

/** Changes of pods and of what they use, in any process, wake the rounds of this topic. */
export const PODS_TOPIC = "pods";
/** How often the machine is asked what it does; the database is not. */
const OBSERVE_MS = 500;
/**
 * Until a round follows that nothing has woken: with pods, without, on a machine that has nothing, and while another process
 * has the machine.
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

/** Looks after the pods of one machine when something has changed, in the database or on the machine, until `stop`. */
export class NodeRounds {
  readonly runner: PodReconciler;
  readonly #round: RunningRound;
  readonly #observing: Repeating;

  constructor(ctx: Omit<PodReconcilerCtx, "onDone">, { alarms, purpose, onRound }: NodeRoundsOptions) {
    const topic = `pods of ${ctx.machine.id}`;
    const wake = () => alarms.wake(topic);
    this.runner = new PodReconciler({ ...ctx, onDone: wake });
    this.#round = alarms.add({
      topic,
      wokenBy: [PODS_TOPIC],
      purpose,
      everyMs: () => {
        if (!this.runner.isClaimed) return CLAIM_AGAIN_MS;
        return this.runner.isEmpty ? EMPTY_MS : this.runner.isIdle ? IDLE_MS : STEADY_MS;
      },
      run: async () => {
        const before = this.runner.runtime;
        await this.runner.round();
        // Pods may have waited for it.
        if (this.runner.runtime !== before) alarms.wake(PODS_TOPIC);
        onRound?.();
      },
    });
    this.#observing = repeat({ everyMs: OBSERVE_MS, log: ctx.log, purpose }, async () => {
      if (await this.runner.observe()) wake();
    });
  }

  /** `interrupt` ends what a round may wait for. Workloads keep running. */
  async stop(interrupt: () => Promise<void>): Promise<void> {
    const ended = Promise.all([this.#round.stop(), this.#observing.stop()]);
    await interrupt();
    await ended;
    await this.runner.stop();
  }
}
