import { ServiceError } from "../../kernel/errors";

const MIB = 1024 * 1024;
const DATABASE_BYTES_MAX = 64 * MIB;
/** A statement that was rolled back leaves its pages until PostgreSQL has vacuumed them. */
const LEFT_BYTES_MAX = 2 * DATABASE_BYTES_MAX;
/** One statement may lock all of them, in a lock table that the whole server shares. */
const RELATIONS_MAX = 200;

export interface Size {
  /** Tables, indexes, sequences and views. */
  relations: number;
  /** Of tables with their indexes. */
  bytes: number;
}

/** As the role itself: in the transaction of a statement it sees what the statement made. */
export const SIZE_QUERY = `SELECT pg_catalog.count(*) AS relations,
    coalesce(pg_catalog.sum(pg_catalog.pg_total_relation_size(c.oid)) FILTER (WHERE c.relkind IN ('r', 'm')), 0) AS bytes
  FROM pg_catalog.pg_class c WHERE c.relnamespace = 'public'::pg_catalog.regnamespace`;

/** Throws `quota_exceeded` for a database in which nothing can be stored before something is deleted. */
export function assertDatabaseHasRoom({ bytes }: Size): void {
  if (bytes > LEFT_BYTES_MAX) throw full();
}

/** Throws `quota_exceeded` for statements that made a database larger than it may be. */
export function assertNotOverQuota(before: Size, { relations, bytes }: Size): void {
  if (relations > RELATIONS_MAX && relations > before.relations) {
    throw new ServiceError(
      "quota_exceeded",
      `An SQL database has at most ${RELATIONS_MAX} tables, indexes, sequences and views together.`,
    );
  }
  if (bytes > DATABASE_BYTES_MAX && bytes > before.bytes) throw full();
}

const full = (): ServiceError =>
  new ServiceError(
    "quota_exceeded",
    "The SQL database is full: its tables and indexes have at most 64 MiB together. DELETE, TRUNCATE and DROP still run.",
  );
