import type { Pool } from "pg";
import type { Logger } from "pino";
import type { PrismaClient } from "../../../engines/postgres/generated/client";
import type { Part } from "../../../identity/part";
import type { Clock } from "../../../kernel/clock";
import { createQueueEngine } from "../queue-log/create-queue-engine";
import type { QueueEngine } from "../queue-log/queue-engine";
import { QUEUE_HISTORY_CRONTAB, QUEUES_EVERY_MINUTE, queueHistoryTasks, startQueueHistory } from "./measure-queues";
import { queueEventKinds } from "./queue.events";
import { QUEUE_QUOTAS } from "./queues.quotas";
import { queueRoutes } from "./queues.routes";
import { queueTools } from "./queues.tools";

interface Needs extends Omit<Parameters<typeof createQueueEngine>[0], "log"> {
  db: PrismaClient;
  sql: Pool;
  clock: Clock;
  log: Logger;
}

/** Stores and leases messages, and keeps the history of queues. */
export const queuesPart: Part<Needs, { queues: QueueEngine }, typeof queueRoutes> = {
  name: "queues",
  routes: [queueRoutes],
  tools: queueTools,
  eventKinds: queueEventKinds,
  quotas: Object.values(QUEUE_QUOTAS),
  start: ({ db, sql, clock, counters, log, space }) => {
    const engine = createQueueEngine({ sql, clock, counters, log, space });
    const history = startQueueHistory(engine, { sql, clock, log });
    return {
      gives: { queues: history.engine },
      tasks: queueHistoryTasks({ db, sql, clock, engine }),
      crontab: [QUEUE_HISTORY_CRONTAB],
      everyMinute: QUEUES_EVERY_MINUTE,
      stop: async () => {
        await history.stop();
        await engine.stop();
      },
    };
  },
};
