import { TaskQueue } from "../../kernel/keyed-queue";
import type { CheckpointFile, SliceBounds } from "./checkpoint";
import type { DeliveryJournal } from "./delivery-journal";
import { type Damage, decodeLines, type Place } from "./log-lines";
import type { Segments } from "./segments";

const NEWLINE = 10;

/** Lines that are being delivered. After a crash the same lines are returned again under the same token. */
export interface WalSlice {
  /** `<id of the segment>:<segment>:<offset>`, the deduplication token of the insert. */
  token: string;
  /** At least one. */
  lines: string[];
  /** What is damaged between the lines and therefore missing; usually empty. */
  damage: Damage[];
  /** Delivered: the slice is never returned again. */
  ack(): Promise<void>;
  /** Not delivered: the next `take` returns the same slice again. */
  giveBack(): void;
}

/** The reading side of a log: which slices are in flight, and up to where everything is acknowledged. */
export class Deliveries {
  readonly #segments: Segments;
  readonly #checkpoint: CheckpointFile;
  readonly #journal: DeliveryJournal;
  readonly #slicesMax: number;
  readonly #onDamage: (damage: Damage) => void;
  /** Slices that a caller is processing, by their start. */
  readonly #held = new Set<string>();
  /** Each step reads the checkpoint that the previous one stored. */
  readonly #steps = new TaskQueue();

  constructor(
    segments: Segments,
    { checkpoint, journal }: { checkpoint: CheckpointFile; journal: DeliveryJournal },
    options: { slicesMax: number; onDamage: (damage: Damage) => void },
  ) {
    this.#segments = segments;
    this.#checkpoint = checkpoint;
    this.#journal = journal;
    this.#slicesMax = options.slicesMax;
    this.#onDamage = options.onDamage;
  }

  /** The number of bytes that are not acknowledged yet. */
  get waitingBytes(): number {
    const { done, slices } = this.#checkpoint.value;
    let bytes = this.#segments.bytesAfter(done);
    for (const { start, end, acked } of slices) if (acked) bytes -= end - start;
    return bytes;
  }

  /**
   * Makes the checkpoint and the journal consistent. A segment from a version of svc without journals gets one; if the
   * checkpoint is lost or old, what the journal records as delivered counts as delivered.
   */
  async reconcile(): Promise<void> {
    await this.#dropMissing();
    const { logId, done, slices } = this.#checkpoint.value;
    const isDone = done.offset > 0 && this.#segments.bytesOf(done.segment) > 0;
    if (isDone && !this.#journal.has(done.segment)) {
      const delivered = { segment: done.segment, start: 0, end: done.offset };
      await this.#journal.cut(delivered, logId);
      await this.#journal.ack(delivered);
    }
    for (const slice of slices) {
      await this.#journal.cut(slice, slice.id ?? logId);
      if (slice.acked) await this.#journal.ack(slice);
    }
    const reached = this.#withoutDelivered(done);
    if (slices.length === 0 && reached !== done) await this.#checkpoint.save({ logId, done: reached, slices });
    await this.#dropBefore(this.#checkpoint.value.done);
  }

  /** Slices of an earlier process whose bytes are partly or completely gone cannot be returned unchanged. */
  async #dropMissing(): Promise<void> {
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

  /** The next slice of about `bytesMax`; undefined if there is nothing to deliver or `slicesMax` are in flight. */
  take(bytesMax: number): Promise<WalSlice | undefined> {
    return this.#steps.run(async () => {
      for (;;) {
        const { slices } = this.#checkpoint.value;
        const waiting = slices.find((slice) => !slice.acked && !this.#held.has(keyOf(slice)));
        const bounds = waiting ?? (await this.#cut(bytesMax));
        if (!bounds) return undefined;
        const { segment, start, end } = bounds;
        if (this.#journal.isAcked(bounds)) {
          await this.#acknowledge(bounds);
          continue;
        }
        const content = decodeLines(await this.#segments.read(segment, start, end), { segment, offset: start });
        for (const damage of content.damage) this.#onDamage(damage);
        if (content.lines.length > 0) return this.#handOut(this.#journal.tokenOf(bounds), bounds, content);
        await this.#acknowledge(bounds);
      }
    });
  }

  /** Resolves when no call is in progress. */
  async idle(): Promise<void> {
    await this.#steps.whenIdle();
  }

  #handOut(token: string, bounds: SliceBounds, content: { lines: string[]; damage: Damage[] }): WalSlice {
    const key = keyOf(bounds);
    this.#held.add(key);
    return {
      token,
      ...content,
      ack: () =>
        this.#steps.run(async () => {
          if (!this.#held.has(key)) return;
          await this.#acknowledge(bounds);
          this.#held.delete(key);
        }),
      giveBack: () => {
        this.#held.delete(key);
      },
    };
  }

  /** Stores the bounds of a new slice before it is returned: a slice that grew between two tries would lose lines. */
  async #cut(bytesMax: number): Promise<SliceBounds | undefined> {
    const { done, slices } = this.#checkpoint.value;
    if (slices.length >= this.#slicesMax) return undefined;
    const last = slices.at(-1);
    const from = this.#withoutDelivered(last ? { segment: last.segment, offset: last.end } : done);
    const rest = this.#segments.after(from);
    if (!rest) return undefined;
    const known = this.#journal.endOf(rest);
    const end = known !== undefined && known <= rest.end ? known : await this.#endOfSlice(rest, bytesMax);
    const id = this.#journal.idOf(rest.segment);
    const bounds = { ...rest, end, acked: false, id };
    await this.#checkpoint.save({ ...this.#checkpoint.value, slices: [...slices, bounds] });
    await this.#journal.cut(bounds, id);
    return bounds;
  }

  /** The first place at or after `from` that is not known to be delivered; may be `from` itself. */
  #withoutDelivered(from: Place): Place {
    for (let place = from; ; ) {
      const rest = this.#segments.after(place);
      const end = rest && this.#journal.isAcked(rest) ? this.#journal.endOf(rest) : undefined;
      if (!rest || end === undefined) return place;
      place = { segment: rest.segment, offset: end };
    }
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
    const acked = last ? { segment: last.segment, offset: last.end } : done;
    const reached = rest.length === 0 ? this.#withoutDelivered(acked) : acked;
    await this.#checkpoint.save({ logId, done: reached, slices: rest });
    await this.#journal.ack(bounds);
    await this.#dropBefore(reached);
  }

  async #dropBefore(done: Place): Promise<void> {
    for (const segment of await this.#segments.dropBefore(done)) await this.#journal.drop(segment);
  }
}

const keyOf = ({ segment, start }: { segment: number; start: number }): string => `${segment}:${start}`;
