import type { CheckpointFile, SliceBounds } from "./checkpoint";
import { type Damage, decodeLines } from "./log-lines";
import type { Segments } from "./segments";

const NEWLINE = 10;

/** Lines on their way out. After a crash the same lines come again under the same token. */
export interface WalSlice {
  /** `<log id>:<segment>:<offset>`, the deduplication token of the insert. */
  token: string;
  /** At least one. */
  lines: string[];
  /** What is damaged between the lines and therefore missing; usually nothing. */
  damage: Damage[];
  /** Delivered: the slice never comes again. */
  ack(): Promise<void>;
  /** Not delivered: the next `take` hands the same slice out again. */
  giveBack(): void;
}

/** The reading side of a log: which slices are on their way, and how far everything is acknowledged. */
export class Deliveries {
  readonly #segments: Segments;
  readonly #checkpoint: CheckpointFile;
  readonly #slicesMax: number;
  readonly #onDamage: (damage: Damage) => void;
  /** Slices that a caller has in hand, by where they start. */
  readonly #held = new Set<string>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    segments: Segments,
    checkpoint: CheckpointFile,
    options: { slicesMax: number; onDamage: (damage: Damage) => void },
  ) {
    this.#segments = segments;
    this.#checkpoint = checkpoint;
    this.#slicesMax = options.slicesMax;
    this.#onDamage = options.onDamage;
  }

  /** Bytes that are not acknowledged yet. */
  get waitingBytes(): number {
    const { done, slices } = this.#checkpoint.value;
    let bytes = this.#segments.bytesAfter(done);
    for (const { start, end, acked } of slices) if (acked) bytes -= end - start;
    return bytes;
  }

  /** Slices of an earlier opener whose bytes are gone, wholly or in part, cannot be handed out as they were. */
  async dropMissing(): Promise<void> {
    const { slices, ...rest } = this.#checkpoint.value;
    const fitting = slices.map((slice) => {
      const end = Math.max(slice.start, Math.min(slice.end, this.#segments.bytesOf(slice.segment)));
      const lost = { segment: slice.segment, offset: end, bytes: slice.end - end, reason: "missing" } as const;
      if (lost.bytes > 0 && !slice.acked) this.#onDamage(lost);
      return { ...slice, end };
    });
    if (fitting.some(({ end }, i) => end !== slices[i]?.end)) {
      await this.#checkpoint.save({ ...rest, slices: fitting.filter(({ start, end }) => end > start) });
    }
  }

  /** The next slice of about `bytesMax`; undefined when nothing is there or `slicesMax` are on their way. */
  take(bytesMax: number): Promise<WalSlice | undefined> {
    return this.#exclusive(async () => {
      for (;;) {
        const { logId, slices } = this.#checkpoint.value;
        const waiting = slices.find((slice) => !slice.acked && !this.#held.has(keyOf(slice)));
        const bounds = waiting ?? (await this.#cut(bytesMax));
        if (!bounds) return undefined;
        const { segment, start, end } = bounds;
        const content = decodeLines(await this.#segments.read(segment, start, end), { segment, offset: start });
        for (const damage of content.damage) this.#onDamage(damage);
        if (content.lines.length > 0) return this.#handOut(`${logId}:${keyOf(bounds)}`, bounds, content);
        await this.#acknowledge(bounds);
      }
    });
  }

  /** Resolves when no call is under way. */
  async settled(): Promise<void> {
    await this.#turn;
  }

  #handOut(token: string, bounds: SliceBounds, content: { lines: string[]; damage: Damage[] }): WalSlice {
    const key = keyOf(bounds);
    this.#held.add(key);
    return {
      token,
      ...content,
      ack: () =>
        this.#exclusive(async () => {
          if (!this.#held.has(key)) return;
          await this.#acknowledge(bounds);
          this.#held.delete(key);
        }),
      giveBack: () => {
        this.#held.delete(key);
      },
    };
  }

  /** Stores the bounds of a new slice before anyone sees it: a slice that grew between two tries would lose lines. */
  async #cut(bytesMax: number): Promise<SliceBounds | undefined> {
    const { done, slices } = this.#checkpoint.value;
    if (slices.length >= this.#slicesMax) return undefined;
    const last = slices.at(-1);
    const rest = this.#segments.after(last ? { segment: last.segment, offset: last.end } : done);
    if (!rest) return undefined;
    const bounds = { ...rest, end: await this.#endOfSlice(rest, bytesMax), acked: false };
    await this.#checkpoint.save({ ...this.#checkpoint.value, slices: [...slices, bounds] });
    return bounds;
  }

  async #endOfSlice({ segment, start, end }: { segment: number; start: number; end: number }, bytesMax: number) {
    // A single line may be longer than a slice.
    for (let bytes = Math.max(1, bytesMax); bytes < end - start; bytes *= 2) {
      const newline = (await this.#segments.read(segment, start, start + bytes)).lastIndexOf(NEWLINE);
      if (newline >= 0) return start + newline + 1;
    }
    return end;
  }

  async #acknowledge(bounds: SliceBounds): Promise<void> {
    const { logId, done, slices } = this.#checkpoint.value;
    const rest = slices.map((slice) => (keyOf(slice) === keyOf(bounds) ? { ...slice, acked: true } : slice));
    let last: SliceBounds | undefined;
    while (rest[0]?.acked) last = rest.shift();
    const reached = last ? { segment: last.segment, offset: last.end } : done;
    await this.#checkpoint.save({ logId, done: reached, slices: rest });
    await this.#segments.dropBefore(reached);
  }

  /** One after the other: each step reads the checkpoint that the step before has stored. */
  #exclusive<T>(step: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(step);
    this.#turn = result.catch(() => {});
    return result;
  }
}

const keyOf = ({ segment, start }: { segment: number; start: number }): string => `${segment}:${start}`;
