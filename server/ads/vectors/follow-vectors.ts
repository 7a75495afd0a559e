import type { Pool } from "pg";
import type { Logger } from "pino";
import { readKnownIds, readVectorChanges, readVectorRows } from "./item-vectors.sql";
import type { VectorMatrix } from "./vector-matrix";

const PAGE = 1000;
/** Ids per look for deleted vectors; a round looks at one page, so that all are looked at in turn. */
const DELETED_PAGE = 250;

export interface FollowVectors {
  sql: Pool;
  model: string;
  matrix: VectorMatrix;
  log: Pick<Logger, "warn">;
}

/** Keeps the vectors in memory equal to those of the current model in Postgres. */
export class VectorFollower {
  readonly #options: FollowVectors;
  #since: string | undefined;
  #isFull = false;
  #deletedFrom = 0;

  constructor(options: FollowVectors) {
    this.#options = options;
  }

  /** Applies what was committed since the last call, and looks whether some older vectors were deleted. */
  async round(stopping: AbortSignal): Promise<void> {
    const { sql } = this.#options;
    const { snapshot, changed } = await readVectorChanges(sql, this.#since);
    if (changed) await this.#apply(stopping);
    if (stopping.aborted) return;
    this.#since = snapshot;
    await this.#dropDeleted();
  }

  async #apply(stopping: AbortSignal): Promise<void> {
    const { sql, model, matrix } = this.#options;
    for (let after = ""; !stopping.aborted; ) {
      const rows = await readVectorRows(sql, { model, since: this.#since, after, limit: PAGE });
      for (const { item_id: itemId, campaign_id: campaignId, vector, is_current: isCurrent } of rows) {
        if (!vector || !isCurrent) matrix.remove(itemId);
        else if (!matrix.put({ itemId, campaignId, components: new Int8Array(vector) })) this.#warnOnce(itemId);
      }
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return;
      after = last.item_id;
    }
  }

  /** Deleted rows leave no trace that `readVectorChanges` could see; decisions ignore items that are not served. */
  async #dropDeleted(): Promise<void> {
    const { sql, matrix } = this.#options;
    if (this.#deletedFrom >= matrix.size) this.#deletedFrom = 0;
    const ids = matrix.ids().slice(this.#deletedFrom, this.#deletedFrom + DELETED_PAGE);
    if (ids.length === 0) return;
    const known = await readKnownIds(sql, ids);
    for (const id of ids) if (!known.has(id)) matrix.remove(id);
    this.#deletedFrom += known.size;
  }

  #warnOnce(itemId: string): void {
    if (this.#isFull) return;
    this.#isFull = true;
    const { matrix, log } = this.#options;
    log.warn(
      { item: itemId, vectors: matrix.size, bytes: matrix.bytes },
      "a vector is not used: it has another number of components, or the memory for vectors is full",
    );
  }
}
