import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PrismaClient, ShieldScan as ScanRow } from "../../../engines/postgres/generated/client";
import { type KeptLease, type Lease, LostLease } from "../../../engines/postgres/lease";
import type { Clock } from "../../../kernel/clock";
import type { StoredBucket } from "../../data/buckets/bucket";
import type { Objects } from "../../data/objects/objects";
import { commitBatch } from "./commit-batch";
import { completeScan, failScan } from "./end-scan";
import { readBatch } from "./read-batch";
import type { ScanThread } from "./scan-thread";
import { extendScan, releaseScan, SCANS, setTotals, takeScan } from "./scans.sql";

/** Then another scan has its turn, so that a long one does not keep others waiting. */
const TURN_MS = 60_000;
/** Turns without a committed batch, such as those of processes that were killed. */
const ATTEMPTS_MAX = 5;
/** The pause after the first interruption; the fifth comes after a minute. */
const RETRY_MS = 2000;
const BATCH_OBJECTS = 250;

export interface RunScan {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  objects: Pick<Objects, "list" | "read" | "count">;
  /** Started when a scan begins, closed when there is none. */
  openThread: () => Pick<ScanThread, "scan" | "close">;
  log: Pick<Logger, "warn">;
  /** Objects that are committed together; default 250. */
  batchObjects?: number | undefined;
}

/**
 * Continues the scan that has waited longest for its turn. Any number of processes may do so; a scan of a process that
 * was killed is continued from its last batch. Returns whether there was one.
 */
export async function runScan(ctx: RunScan, stopping: AbortSignal): Promise<boolean> {
  const { clock, sql, log } = ctx;
  const taken = await takeScan(ctx, clock.now());
  if (!taken) return false;
  const { row, lease: scan } = taken;
  const turn = new Turn(ctx, scan, stopping);
  let until: Date | undefined;
  try {
    await advanceScan(ctx, row, turn);
  } catch (failure) {
    // Stopped, canceled or taken over: nothing is wrong.
    if (!(failure instanceof LostLease) && !turn.signal.aborted) {
      log.warn({ err: failure, scan: row.id }, "a scan was interrupted, will try again");
      until = new Date(clock.now().getTime() + RETRY_MS * row.attempts ** 2);
      if (row.attempts >= ATTEMPTS_MAX) await failScan({ ...ctx, scan }, INTERRUPTED);
    }
  } finally {
    turn.end();
    await releaseScan(sql, scan, until);
  }
  return true;
}

const INTERRUPTED = "The scan was interrupted several times at the same objects; start it again.";
const BUCKET_GONE = "The bucket was deleted.";

async function advanceScan(ctx: RunScan, row: ScanRow, turn: Turn): Promise<void> {
  const { db, sql, clock, objects, batchObjects: limit = BATCH_OBJECTS } = ctx;
  const scan = turn.scan;
  if (row.attempts > ATTEMPTS_MAX) return failScan({ ...ctx, scan }, INTERRUPTED);
  const bucket = await livingBucket(db, row.bucketId);
  if (!bucket) return failScan({ ...ctx, scan }, BUCKET_GONE);
  if (row.objectsTotal === null) await setTotals(sql, scan, await objects.count(bucket, row.prefix));
  const thread = ctx.openThread();
  try {
    let after = row.position;
    while (!turn.isOver()) {
      const current = await livingBucket(db, row.bucketId);
      if (!current) return await failScan({ ...ctx, scan }, BUCKET_GONE);
      const { signal, onBytes } = turn;
      const reading = { sql, objects, thread, bucket: current, signal, onBytes, limit };
      const batch = await readBatch(reading, { ...row, after });
      const of = { bucket: current, scanId: row.id, now: clock.now() };
      if (batch.last === undefined) return await completeScan({ ...ctx, scan }, of, row.prefix);
      await commitBatch({ sql, scan, of }, batch);
      turn.begin();
      after = batch.last;
    }
  } finally {
    await thread.close();
  }
}

const livingBucket = async (db: PrismaClient, id: string): Promise<StoredBucket | undefined> => {
  const bucket = await db.bucket.findUnique({ where: { id } });
  return bucket && !bucket.deletingSince ? bucket : undefined;
};

/** One turn of a scan in this process: its lease, which is renewed while it runs, and the progress of its batch. */
class Turn {
  readonly scan: Lease;
  readonly signal: AbortSignal;
  readonly #until = performance.now() + TURN_MS;
  readonly #kept: KeptLease;
  #batchBytes = 0;

  constructor({ sql, clock, log }: RunScan, scan: Lease, stopping: AbortSignal) {
    this.scan = scan;
    const extend = () => extendScan(sql, scan, { now: clock.now(), batchBytes: this.#batchBytes });
    this.#kept = SCANS.keep(scan.id, { extend, log });
    this.signal = AbortSignal.any([this.#kept.signal, stopping]);
  }

  readonly onBytes = (count: number): void => {
    this.#batchBytes += count;
  };

  isOver(): boolean {
    return this.signal.aborted || performance.now() >= this.#until;
  }

  /** A batch begins. */
  begin(): void {
    this.#batchBytes = 0;
  }

  end(): void {
    this.#kept.stop();
  }
}
