import type { Pool } from "pg";
import type { Logger } from "pino";
import type { MinuteTasks, Tasks } from "../../../engines/jobs/start-jobs";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Clock } from "../../../kernel/clock";
import { ServiceError } from "../../../kernel/errors";
import { repeat } from "../../../kernel/repeat";
import type { QueueEngine, QueueFigures, QueueRef } from "../queue-log/queue-engine";
import { refOf } from "./queue";
import { type CountedMinute, countedEngine, QueueCounts } from "./queue-counts";
import { addQueueMinutes, deleteQueueMinutesBefore, MINUTE_MS, queuesToMeasure } from "./queue-minutes.sql";

const STORE_EVERY_MS = 10_000;
export const HISTORY_KEPT_MS = 14 * 24 * 60 * MINUTE_MS;
/** In one run; the next run goes on with the others. */
const MEASURED_MAX = 5000;
const CONCURRENT = 4;

interface HistoryParts {
  sql: Pool;
  clock: Clock;
  log: Pick<Logger, "info" | "warn">;
  /** How often counts are stored; default: every 10 seconds. */
  everyMs?: number;
}

/**
 * Counts what the engine's calls in this process do, and stores it regularly and at `stop` together with the
 * number of messages in these queues. While Postgres is unavailable counts stay in memory. `stop` never fails; a process
 * that is killed loses the counts of its last seconds.
 */
export function startQueueHistory(
  engine: QueueEngine,
  { sql, clock, log, everyMs = STORE_EVERY_MS }: HistoryParts,
): { engine: QueueEngine; stop(): Promise<void> } {
  const counts = new QueueCounts(clock);
  const store = async () => {
    const counted = counts.take();
    try {
      await storeCounts(counted, { engine, sql });
    } catch (failure) {
      counts.putBack(counted);
      throw failure;
    }
  };
  const loop = repeat({ everyMs, log, purpose: "store the history of queues" }, store);
  return {
    engine: countedEngine(engine, counts),
    stop: async () => {
      await loop.stop();
      await store().catch((err: unknown) => log.warn({ err }, "cannot store the last history of queues"));
    },
  };
}

type Storing = { engine: QueueEngine; sql: Pool };

async function storeCounts(counted: readonly CountedMinute[], { engine, sql }: Storing): Promise<void> {
  const queues = new Map(counted.map(({ queue }) => [queue.id, queue]));
  const figures = await figuresOf([...queues.values()], engine);
  const minutes = counted.flatMap(({ queue: { id: queueId }, ...minute }) => {
    const found = figures.get(queueId);
    return found ? [{ queueId, ...minute, ...found }] : [];
  });
  if (minutes.length > 0) await addQueueMinutes(sql, minutes);
}

/** The figures by queue id, without queues that have been deleted. */
async function figuresOf(queues: readonly QueueRef[], engine: QueueEngine): Promise<Map<string, QueueFigures>> {
  const found = new Map<string, QueueFigures>();
  const waiting = [...queues];
  const work = async () => {
    for (let queue = waiting.pop(); queue; queue = waiting.pop()) {
      const figures = await engine.figures(queue).catch(undefinedIfDeleted);
      if (figures) found.set(queue.id, figures);
    }
  };
  await Promise.all(Array.from({ length: CONCURRENT }, work));
  return found;
}

function undefinedIfDeleted(failure: unknown): undefined {
  if (!(failure instanceof ServiceError && failure.code === "not_found")) throw failure;
}

interface MeasureParts {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  engine: QueueEngine;
}

const MEASURE_QUEUES = "measure_queues";
const FORGET_QUEUE_HISTORY = "forget_queue_history";

/** In graphile-worker's crontab format. */
export const QUEUE_HISTORY_CRONTAB = `37 * * * * ${FORGET_QUEUE_HISTORY}`;
/** A minute that no worker ran in is left out. */
export const QUEUES_EVERY_MINUTE: MinuteTasks = { [MEASURE_QUEUES]: "SELECT FROM queues WHERE deleted_at IS NULL" };

/** Measures queues once a minute, and deletes what is older than 14 days. */
export const queueHistoryTasks = (parts: MeasureParts): Tasks => ({
  [MEASURE_QUEUES]: () => measureQueues(parts),
  [FORGET_QUEUE_HISTORY]: () => forgetQueueHistory(parts),
});

/** Measures the queues that have messages although nobody called them in this minute: delays and leases end by themselves. */
async function measureQueues({ db, sql, clock, engine }: MeasureParts): Promise<void> {
  const now = clock.now();
  const ids = await queuesToMeasure(sql, { now, max: MEASURED_MAX });
  const rows = await db.queue.findMany({ where: { id: { in: ids }, deletedAt: null } });
  const figures = await figuresOf(
    rows.map((row) => refOf(row)),
    engine,
  );
  const minuteMs = Math.floor(now.getTime() / MINUTE_MS) * MINUTE_MS;
  const nothing = { sent: 0, received: 0, acknowledged: 0 };
  const minutes = [...figures].map(([queueId, found]) => ({ queueId, minuteMs, ...nothing, ...found }));
  if (minutes.length > 0) await addQueueMinutes(sql, minutes);
}

/** Deletes the history that is older than 14 days. */
const forgetQueueHistory = ({ sql, clock }: Pick<MeasureParts, "sql" | "clock">): Promise<void> =>
  deleteQueueMinutesBefore(sql, new Date(clock.now().getTime() - HISTORY_KEPT_MS));
