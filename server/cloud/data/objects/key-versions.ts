import type { Tier } from "../../../engines/objects/blob-tiers";
import type { UsageChange } from "./changes";
import { NULL_VERSION, type VersionRow, versionIdOf } from "./version-row";

type Added = Omit<
  VersionRow,
  "rank" | "versionId" | "isLatest" | "lastModified" | "noncurrentSince" | "restoreAt" | "restoreUntil"
>;

/** The versions of a key, newest first, while a batch of changes is applied. Rows are replaced, never changed. */
export class KeyVersions {
  readonly #stored: ReadonlyMap<string, VersionRow>;
  #rows: VersionRow[];

  /** `rows`: what is stored, in any order. */
  constructor(rows: readonly VersionRow[]) {
    this.#stored = new Map(rows.map((row) => [row.id, row]));
    this.#rows = [...this.#stored.values()].sort((a, b) => a.rank - b.rank);
  }

  get latest(): VersionRow | undefined {
    return this.#rows[0];
  }

  find(versionId: string): VersionRow | undefined {
    return this.#rows.find((row) => row.versionId === versionId);
  }

  row(id: string): VersionRow | undefined {
    return this.#rows.find((row) => row.id === id);
  }

  /** A new latest version; one without an id replaces the one that has none, which is returned. */
  add(
    added: Added,
    { at, hasId }: { at: number; hasId: boolean },
  ): { row: VersionRow; replaced: VersionRow | undefined } {
    const before = this.latest;
    const rank = (before?.rank ?? 0) - 1;
    const replaced = hasId ? undefined : this.find(NULL_VERSION);
    if (replaced) this.#drop(replaced);
    this.#setLatest(false, at);
    const versionId = hasId ? versionIdOf({ id: added.id, rank }) : NULL_VERSION;
    const times = { lastModified: at, noncurrentSince: null, restoreAt: null, restoreUntil: null };
    const row = { ...added, rank, versionId, isLatest: true, ...times };
    this.#rows.unshift(row);
    return { row, replaced };
  }

  replace(row: VersionRow): void {
    this.#rows = this.#rows.map((each) => (each.id === row.id ? row : each));
  }

  /** Without the latest version, the next one is the latest. */
  remove(row: VersionRow): void {
    this.#drop(row);
    this.#setLatest(true, null);
  }

  /** What must be written so that the stored rows become these. */
  differences() {
    const kept = new Set(this.#rows.map(({ id }) => id));
    const isMoved = (row: VersionRow) => this.#stored.has(row.id) && this.#stored.get(row.id) !== row;
    return {
      removed: [...this.#stored.keys()].filter((id) => !kept.has(id)),
      moved: this.#rows.filter(isMoved),
      added: this.#rows.filter(({ id }) => !this.#stored.has(id)),
    };
  }

  /** The share of these rows in the usage figures of their bucket. */
  usage(): UsageChange {
    const withBytes = this.#rows.filter(({ isDeleteMarker }) => !isDeleteMarker);
    return {
      objects: this.latest && !this.latest.isDeleteMarker ? 1 : 0,
      versions: withBytes.length,
      bytes: bytesOf(withBytes),
      warmBytes: bytesOf(withBytes, "warm"),
      coldBytes: bytesOf(withBytes, "cold"),
      archiveBytes: bytesOf(withBytes, "archive"),
    };
  }

  #drop(row: VersionRow): void {
    this.#rows = this.#rows.filter(({ id }) => id !== row.id);
  }

  #setLatest(isLatest: boolean, noncurrentSince: number | null): void {
    const [first, ...rest] = this.#rows;
    if (!first || first.isLatest === isLatest) return;
    this.#rows = [{ ...first, isLatest, noncurrentSince }, ...rest];
  }
}

const bytesOf = (rows: readonly VersionRow[], of?: Tier): number =>
  rows.reduce((sum, { size, tier }) => sum + (of === undefined || tier === of ? size : 0), 0);
