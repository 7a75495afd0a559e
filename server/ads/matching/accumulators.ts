import { grown } from "./grown";

const GROUPS_MAX = 1_000_000_000;

/**
 * Per-document sums of one decision. They are reused between decisions so that scoring allocates nothing; only touched
 * entries are cleared. A decision completes within one turn of the event loop, so one instance serves all of them.
 */
export class Accumulators {
  scores = new Float32Array(64);
  /** The idf of the terms that the document has, weighted by field. */
  covered = new Float32Array(64);
  /** The first `count` entries are the documents found so far. */
  touched = new Int32Array(64);
  /** Sort keys of the documents at the same positions of `touched`, once they are computed. */
  rankValues = new Float64Array(64);
  seen = new Uint8Array(64);
  /** What the words of one group (names of one thing) have added; `groupOf` has the number of that group. */
  groupScores = new Float32Array(64);
  groupCovered = new Float32Array(64);
  groupOf = new Int32Array(64);
  group = 0;
  count = 0;

  /** Makes room for documents numbered below `capacity` and clears the entries of the previous decision. */
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
    this.rankValues = grown(this.rankValues, capacity, Float64Array);
    this.seen = grown(this.seen, capacity, Uint8Array);
    this.groupScores = grown(this.groupScores, capacity, Float32Array);
    this.groupCovered = grown(this.groupCovered, capacity, Float32Array);
    this.groupOf = grown(this.groupOf, capacity, Int32Array);
  }

  /** Begins a group of words of which only the best counts per document. */
  beginGroup(): void {
    this.group = (this.group % GROUPS_MAX) + 1;
    if (this.group === 1) this.groupOf.fill(0);
  }

  touch(doc: number): void {
    if (this.seen[doc] !== 0) return;
    this.seen[doc] = 1;
    this.touched[this.count++] = doc;
  }

  /** Moves the documents that cover at least `floor` to the front, in order, and returns their number. */
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

  /** The highest coverage of a document that `admits` accepts. */
  bestCovered(admits: (doc: number) => boolean): number {
    let best = 0;
    for (let i = 0; i < this.count; i++) {
      const doc = this.touched[i] as number;
      const covered = this.covered[doc] as number;
      if (covered > best && admits(doc)) best = covered;
    }
    return best;
  }

  /** The at most `most` documents with the highest scores that `admits` accepts, best first. */
  top(most: number, admits: (doc: number) => boolean): number[] {
    const { touched, scores, count } = this;
    const best: number[] = [];
    let floor = 0;
    for (let i = 0; i < count; i++) {
      const doc = touched[i] as number;
      const score = scores[doc] as number;
      if (score <= floor || !admits(doc)) continue;
      let at = best.length;
      while (at > 0 && (scores[best[at - 1] as number] as number) < score) at--;
      best.splice(at, 0, doc);
      if (best.length > most) best.pop();
      if (best.length === most) floor = scores[best[most - 1] as number] as number;
    }
    return best;
  }
}
