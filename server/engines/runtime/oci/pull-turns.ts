import { FairSemaphore } from "../../../kernel/fair-semaphore";
import { type ImageSource, RuntimeError } from "../runtime";
import type { LeastPace } from "./stop-when-slow";

/** How long a registry may take. */
export interface PullPace extends LeastPace {
  /** Of a manifest, a configuration or a token, from its first byte. */
  documentMs: number;
  /** Of a whole image, unpacking included. */
  pullMs: number;
}

/** 16 KiB per second is a tenth of what a slow line of an office has. */
export const PULL_PACE: PullPace = {
  ...{ windowMs: 30_000, windowBytesMin: 30 * 16 * 1024 },
  ...{ documentMs: 30_000, pullMs: 30 * 60_000 },
};

const PULLS_MAX = 32;

/** The pulls of one machine: owners take turns, so that no registry of one keeps out the images of the others. */
export class PullTurns {
  readonly #places = new FairSemaphore(PULLS_MAX);

  constructor(readonly pace: PullPace = PULL_PACE) {}

  /**
   * The result of `pull`, when it is the owner's turn; its signal also ends it when it takes too long. Rejects with the
   * reason of `signal`, and with `registry_unreachable` as the reason of that of `pull`.
   */
  async run<T>(
    { reference, owner = "" }: Pick<ImageSource, "reference" | "owner">,
    signal: AbortSignal,
    pull: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const release = await this.#places.take(owner, signal);
    const late = new AbortController();
    const { pullMs } = this.pace;
    const timer = setTimeout(() => late.abort(tooLong(reference, pullMs)), pullMs);
    try {
      return await pull(AbortSignal.any([signal, late.signal]));
    } finally {
      clearTimeout(timer);
      release();
    }
  }
}

const tooLong = (reference: string, pullMs: number): RuntimeError =>
  new RuntimeError(
    "registry_unreachable",
    `${reference.slice(0, 255)} was not pulled within ${pullMs / 1000} s, which is the limit for an image.`,
  );
