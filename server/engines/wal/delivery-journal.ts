import { randomUUID } from "node:crypto";
import { constants } from "node:fs";
import { open, readdir, readFile, rename, rm, truncate, writeFile } from "node:fs/promises";
import path from "node:path";
import { decodeLines, encodeLines, frame } from "./log-lines";
import { syncFolder } from "./sync-folder";
import { type WalIo, walIo } from "./wal-io";

const { O_RDWR, O_CREAT } = constants;
const NEWLINE = 10;
const SUFFIX = ".deliveries";
/** A journal that has grown beyond this is replaced by three lines when all its slices are delivered. */
const BYTES_MAX = 65_536;

type JournalIo = Pick<WalIo, "remove" | "syncFolder">;

interface Bounds {
  segment: number;
  start: number;
  end: number;
}

interface SegmentDeliveries {
  /** The prefix of every token of the segment. */
  id: string;
  /** Everything before it is delivered. */
  deliveredTo: number;
  /** The slices after that, by their start. */
  slices: Map<number, { end: number; acked: boolean }>;
  /** Length of the journal's file. */
  bytes: number;
}

/**
 * A file next to each segment that records which slices were cut from it and which are delivered, one line for each. If
 * a checkpoint is lost or old, the same slices are sent again under the same tokens, except those known to be
 * delivered. Lines are `id <uuid>`, `cut <start> <end>` and `ack <start>`, framed as in a segment.
 */
export class DeliveryJournal {
  readonly #dir: string;
  readonly #segments: Map<number, SegmentDeliveries>;
  readonly #io: JournalIo;

  private constructor(dir: string, segments: Map<number, SegmentDeliveries>, io: JournalIo) {
    this.#dir = dir;
    this.#segments = segments;
    this.#io = io;
  }

  /** Reads the journals of the remaining segments, and removes those of removed segments. */
  static async open(dir: string, numbers: readonly number[], io: JournalIo = walIo): Promise<DeliveryJournal> {
    const kept = new Set(numbers.map((number) => path.basename(fileOf(dir, number))));
    const orphans = (await readdir(dir)).filter((name) => name.includes(SUFFIX) && !kept.has(name));
    // A segment that reappears after a power loss still needs its journal.
    if (orphans.length > 0) await io.syncFolder(dir);
    for (const name of orphans) await io.remove(path.join(dir, name));
    const read = numbers.map(async (number) => [number, await readSegment(dir, number)] as const);
    const known = (await Promise.all(read)).flatMap(([number, one]) => (one ? [[number, one] as const] : []));
    return new DeliveryJournal(dir, new Map(known), io);
  }

  has(segment: number): boolean {
    return this.#segments.has(segment);
  }

  /** The token of the slice that begins there. */
  tokenOf({ segment, start }: Pick<Bounds, "segment" | "start">): string {
    return `${this.#segments.get(segment)?.id}:${segment}:${start}`;
  }

  /**
   * Where the slice that was once cut at this place ends, or the delivered part that begins there; undefined if there
   * is neither.
   */
  endOf({ segment, start }: Pick<Bounds, "segment" | "start">): number | undefined {
    const known = this.#segments.get(segment);
    return known && start < known.deliveredTo ? known.deliveredTo : known?.slices.get(start)?.end;
  }

  isAcked({ segment, start }: Pick<Bounds, "segment" | "start">): boolean {
    const known = this.#segments.get(segment);
    return known !== undefined && (start < known.deliveredTo || known.slices.get(start)?.acked === true);
  }

  /** The id of the segment, or a new one for a segment that has none yet. */
  idOf(segment: number): string {
    return this.#segments.get(segment)?.id ?? randomUUID();
  }

  /** Resolves when the slice would survive a power loss. `id` is for a segment that has none yet. */
  async cut({ segment, start, end }: Bounds, id: string): Promise<void> {
    const deliveries = this.#segments.get(segment) ?? { id, deliveredTo: 0, slices: new Map(), bytes: 0 };
    this.#segments.set(segment, deliveries);
    if (this.endOf({ segment, start }) !== undefined) return;
    deliveries.slices.set(start, { end, acked: false });
    const isNew = deliveries.bytes === 0;
    await this.#append(segment, `cut ${start} ${end}`, { sync: true });
    if (isNew) await syncFolder(this.#dir);
  }

  /** Not synced: after a power loss the slice may be returned once more, under its token. */
  async ack({ segment, start }: Pick<Bounds, "segment" | "start">): Promise<void> {
    const deliveries = this.#segments.get(segment);
    if (!deliveries || this.isAcked({ segment, start })) return;
    markAcked(deliveries, start);
    if (deliveries.bytes > BYTES_MAX && deliveries.slices.size === 0) await this.#rewrite(segment, deliveries);
    else await this.#append(segment, `ack ${start}`, { sync: false });
  }

  /** The rename makes the short journal appear complete; if it fails, the long one stays. */
  async #rewrite(segment: number, deliveries: SegmentDeliveries): Promise<void> {
    const { id, deliveredTo } = deliveries;
    const draft = `${fileOf(this.#dir, segment)}.new`;
    const texts = [`id ${id}`, `cut 0 ${deliveredTo}`, "ack 0"];
    const bytes = encodeLines(texts.map(frame), { segment, offset: 0 });
    try {
      await writeFile(draft, bytes, { flush: true });
      await rename(draft, fileOf(this.#dir, segment));
      deliveries.bytes = bytes.length;
    } catch {
      await rm(draft, { force: true }).catch(() => undefined);
    }
  }

  /** Removes the journal of a segment whose removal is durable. */
  async drop(segment: number): Promise<void> {
    this.#segments.delete(segment);
    await this.#io.remove(fileOf(this.#dir, segment)).catch(() => undefined);
  }

  /**
   * The checkpoint contains the same facts, and a log on a full disk, to which no line can be appended, must still be
   * drained: then only the checkpoint records them.
   */
  async #append(segment: number, text: string, { sync }: { sync: boolean }): Promise<void> {
    const deliveries = this.#segments.get(segment);
    if (!deliveries) return;
    const texts = deliveries.bytes === 0 ? [`id ${deliveries.id}`, text] : [text];
    const bytes = encodeLines(texts.map(frame), { segment, offset: deliveries.bytes });
    const handle = await open(fileOf(this.#dir, segment), O_RDWR | O_CREAT).catch(() => undefined);
    try {
      const written = await handle?.write(bytes, 0, bytes.length, deliveries.bytes);
      if (sync) await handle?.datasync();
      if (written?.bytesWritten === bytes.length) deliveries.bytes += bytes.length;
    } catch {
      // The next line overwrites what this one left.
    } finally {
      await handle?.close();
    }
  }
}

/** What is delivered from the start of the segment on needs no slices any more. */
function markAcked(deliveries: SegmentDeliveries, start: number): void {
  const { slices } = deliveries;
  const acked = slices.get(start);
  if (acked) acked.acked = true;
  for (let next = slices.get(deliveries.deliveredTo); next?.acked; next = slices.get(deliveries.deliveredTo)) {
    slices.delete(deliveries.deliveredTo);
    deliveries.deliveredTo = next.end;
  }
}

const fileOf = (dir: string, segment: number): string =>
  path.join(dir, `${String(segment).padStart(12, "0")}${SUFFIX}`);

/** Undefined without a journal, or if its first line lacks the id. */
async function readSegment(dir: string, segment: number): Promise<SegmentDeliveries | undefined> {
  const file = fileOf(dir, segment);
  const content = await readFile(file).catch(() => undefined);
  if (!content) return undefined;
  const bytes = content.lastIndexOf(NEWLINE) + 1;
  // The end of a line torn by a crash would corrupt the next one.
  if (bytes < content.length) await truncate(file, bytes);
  const { lines } = decodeLines(content.subarray(0, bytes), { segment, offset: 0 });
  const deliveries: SegmentDeliveries = { id: "", deliveredTo: 0, slices: new Map(), bytes };
  for (const [kind, first = "", second] of lines.map((line) => line.split(" "))) {
    if (kind === "id") deliveries.id ||= first;
    else if (kind === "cut") deliveries.slices.set(Number(first), { end: Number(second), acked: false });
    else markAcked(deliveries, Number(first));
  }
  return deliveries.id === "" ? undefined : deliveries;
}
