import { FairSemaphore } from "../../../kernel/fair-semaphore";
import { SharedAmount } from "../../../kernel/shared-amount";
import { type ImageSource, RuntimeError } from "../runtime";
import type { MinimumThroughput } from "./stop-when-slow";

/** How long a registry may take. */
export interface PullPace extends MinimumThroughput {
  /** Of a manifest, a configuration or a token, from its first byte. */
  documentMs: number;
  /** Of a whole image, unpacking included. */
  pullMs: number;
}

/** 16 KiB per second is a tenth of what a slow line of an office has. */
export const PULL_PACE: PullPace = {
  windowMs: 30_000,
  windowBytesMin: 30 * 16 * 1024,
  documentMs: 30_000,
  pullMs: 30 * 60_000,
};

const PULLS_MAX = 32;
/** One owner can unpack one image that fills the cache, and others what is left. */
const UNPACKING_FACTOR = 2;

/** A pull whose turn it is. */
export interface PullTurn {
  /** "" for all those without one. */
  owner: string;
  /** Also ends the pull when it takes too long, with `registry_unreachable`. */
  signal: AbortSignal;
  pace: PullPace;
  /** Counts bytes that the pull is about to write, until it ends. Throws `no_disk_space`. */
  unpack(bytes: number): void;
}

/**
 * The pulls of one node: owners take turns, so that no registry of one keeps out the images of the others, and what
 * they unpack at a time is limited, because what is not complete is in no cache.
 */
export class PullTurns {
  readonly #places = new FairSemaphore(PULLS_MAX);
  readonly #unpacking: SharedAmount;

  /** `cacheBytes`: of all unpacked images. */
  constructor(
    cacheBytes: number,
    readonly pace: PullPace = PULL_PACE,
  ) {
    this.#unpacking = new SharedAmount(UNPACKING_FACTOR * cacheBytes);
  }

  /** The result of `pull`, when it is the owner's turn. Rejects with the reason of `signal`. */
  async run<T>(source: PullSource, signal: AbortSignal, pull: (turn: PullTurn) => Promise<T>): Promise<T> {
    const { reference, owner = "" } = source;
    const release = await this.#places.take(owner, signal);
    const { pace } = this;
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(tooLong(reference, pace.pullMs)), pace.pullMs);
    const holders = [{ key: owner, ofFree: 1 }];
    let unpackedBytes = 0;
    const unpack = (bytes: number) => {
      if (!this.#unpacking.take(holders, bytes)) throw noSpace(reference);
      unpackedBytes += bytes;
    };
    try {
      return await pull({ owner, signal: AbortSignal.any([signal, late.signal]), pace, unpack });
    } finally {
      clearTimeout(timer);
      this.#unpacking.release(holders, unpackedBytes);
      release();
    }
  }
}

type PullSource = Pick<ImageSource, "reference" | "owner">;

const tooLong = (reference: string, pullMs: number): RuntimeError =>
  new RuntimeError(
    "registry_unreachable",
    `${reference.slice(0, 255)} was not pulled within ${pullMs / 1000} s, which is the limit for an image.`,
  );

const noSpace = (reference: string): RuntimeError =>
  new RuntimeError(
    "no_disk_space",
    `${reference.slice(0, 255)} was not pulled, because its node unpacks too many images at present; try again later.`,
  );
