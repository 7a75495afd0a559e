import type { Pool } from "pg";
import { BATCH } from "./queue-figures";

/**
 * The usual queue in a table: receives take rows with `FOR UPDATE SKIP LOCKED`, write until when they are leased, and
 * acknowledgements delete them. It has no order within groups, no duplicates are found, and nothing is moved to another
 * queue after too many receives.
 */
export class SkipLockedTable {
  readonly #sql: Pool;

  constructor(sql: Pool) {
    this.#sql = sql;
  }

  async create(): Promise<void> {
    await this.#sql.query(`DROP TABLE IF EXISTS skip_locked;
      CREATE TABLE skip_locked (id bigserial PRIMARY KEY, body text NOT NULL, visible_at timestamptz NOT NULL DEFAULT now(),
        receives int NOT NULL DEFAULT 0);
      CREATE INDEX ON skip_locked (visible_at)`);
  }

  async send(body: string, count: number): Promise<number> {
    await this.#sql.query({
      name: "skip_locked_send",
      text: "INSERT INTO skip_locked (body) SELECT $1 FROM generate_series(1, $2::int)",
      values: [body, count],
    });
    return count;
  }

  /** Leases up to a batch for so long; returns the ids. */
  async receive(leaseMs: number): Promise<string[]> {
    const { rows } = await this.#sql.query<{ id: string; body: string }>({
      name: "skip_locked_receive",
      text: `UPDATE skip_locked SET visible_at = now() + make_interval(secs => $1::float8 / 1000), receives = receives + 1
        WHERE id IN (SELECT id FROM skip_locked WHERE visible_at <= now() ORDER BY visible_at LIMIT ${BATCH} FOR UPDATE SKIP LOCKED)
        RETURNING id, body`,
      values: [leaseMs],
    });
    return rows.map(({ id }) => id);
  }

  async acknowledge(ids: readonly string[]): Promise<void> {
    await this.#sql.query({
      name: "skip_locked_acknowledge",
      text: "DELETE FROM skip_locked WHERE id = ANY($1::bigint[])",
      values: [ids],
    });
  }
}
