import { grown } from "./grown";

export const FOUND = 1;
export const HAS_NOUN = 2;
export const OF_KIND = 4;

const GROUPS_MAX = 1_000_000_000;

/**
 * Per-document sums of one decision, kept between decisions so that scoring allocates nothing: only what was touched is
 * cleared. Decisions run to their end within one turn of the event loop, so one set serves all of them.
 */
export class Accumulators {
  scores = new Float32Array(64);
  /** Weighted idf of the query's terms that the document has, each by how telling the field is. */
  covered = new Float32Array(64);
  /** The first `count` are the documents found so far. */
  touched = new Int32Array(64);
  /** 0 for what was not found; else `FOUND`, with `HAS_NOUN` where it has the query's noun and `OF_KIND` where it is what that noun names. */
  seen = new Uint8Array(64);
  /** What the words of one group (names of one thing) have added, where `groupOf` names the group `group`. */
  groupScores = new Float32Array(64);
  groupCovered = new Float32Array(64);
  groupOf = new Int32Array(64);
  group = 0;
  count = 0;

  /** Makes room for documents numbered below `capacity` and clears what the decision before touched. */
  reset(capacity: number): void {
    for (let i = 0; i < this.count; i++) {
      const doc = this.touched[i] as number;
      this.scores[doc] = 0;
      this.covered[doc] = 0;
      this.seen[doc] = 0;
    }
    this.count = 0;
    if (capacity <= this.scores.length) return;
    this.scores = grown(this.scores, capacity, Float32Array);
    this.covered = grown(this.covered, capacity, Float32Array);
    this.touched = grown(this.touched, capacity, Int32Array);
    this.seen = grown(this.seen, capacity, Uint8Array);
    this.groupScores = grown(this.groupScores, capacity, Float32Array);
    this.groupCovered = grown(this.groupCovered, capacity, Float32Array);
    this.groupOf = grown(this.groupOf, capacity, Int32Array);
  }

  /** Begins a group of words of which a document counts only the best. */
  beginGroup(): void {
    this.group = (this.group % GROUPS_MAX) + 1;
    if (this.group === 1) this.groupOf.fill(0);
  }

  /** Puts the documents that cover at least `floor` before all others, in their order, and answers how many they are. */
  gather(floor: number): number {
    const { touched, covered, count } = this;
    let gathered = 0;
    for (let i = 0; i < count; i++) {
      const doc = touched[i] as number;
      if ((covered[doc] as number) < floor) continue;
      touched[i] = touched[gathered] as number;
      touched[gathered++] = doc;
    }
    return gathered;
  }

  touch(doc: number): void {
    if (this.seen[doc] !== 0) return;
    this.seen[doc] = FOUND;
    this.touched[this.count++] = doc;
  }
}
