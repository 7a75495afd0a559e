import { type Repeating, repeat } from "../../kernel/repeat";
import { Wake } from "../../kernel/wake";
import { PodRunner, type PodRunnerCtx } from "./pod-runner";

const ROUND_MS = 500;
/** Without active pods; changes wake it. */
const IDLE_MS = 2000;

export interface RunnerRoundsOptions {
  /** Completes "cannot …" in the log. */
  purpose: string;
  /** Called after each round that did not fail. */
  onRound?: () => void;
}

/** Looks after the pods of one machine again and again until `stop`. */
export class RunnerRounds {
  readonly runner: PodRunner;
  readonly #wake = new Wake();
  readonly #repeating: Repeating;

  constructor(ctx: Omit<PodRunnerCtx, "onSettled">, { purpose, onRound }: RunnerRoundsOptions) {
    this.runner = new PodRunner({ ...ctx, onSettled: () => this.wake() });
    const round = async () => {
      await this.runner.round();
      onRound?.();
    };
    this.#repeating = repeat({ everyMs: ROUND_MS, log: ctx.log, purpose }, round, {
      atOnce: true,
      wait: (ms, signal) => this.#wake.wait(this.runner.isIdle ? Math.max(ms, IDLE_MS) : ms, signal),
    });
  }

  /** The next round follows at once. */
  wake(): void {
    this.#wake.up();
  }

  /** `interrupt` ends what a round may wait for. Workloads keep running. */
  async stop(interrupt: () => Promise<void>): Promise<void> {
    const repeated = this.#repeating.stop();
    await interrupt();
    await repeated;
    await this.runner.stop();
  }
}
