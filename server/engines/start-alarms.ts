import type { Pool } from "pg";
import { type AlarmOptions, Alarms } from "../kernel/alarms";
import { PostgresAlarms } from "./postgres/postgres-alarms";

/** The schedule of background work: rounds are added to it. */
export interface StartedAlarms extends Pick<Alarms, "add" | "wake" | "settle" | "stop"> {
  /**
   * Makes the rounds of a topic due where they run: in this process, or else in others, which are notified 5 times a second
   * at most. For writers that are too frequent for a trigger; a notification at each commit would make commits wait.
   */
  announce(topic: string): void;
}

const ANNOUNCED_APART_MS = 200;
/** After a notification that Postgres did not take. */
const ANNOUNCED_AGAIN_MS = 1000;

/** Starts to schedule the background work of this process, and to receive wake-ups from Postgres, until `stop`. */
export function startAlarms({ sql, ...options }: Omit<AlarmOptions, "source"> & { sql: Pool }): StartedAlarms {
  const source = new PostgresAlarms(sql);
  const alarms = new Alarms({ ...options, source });
  source.listen({ onWake: (topic) => alarms.wake(topic), onConnect: () => alarms.wakeAll() });
  const announcing = new Map<string, NodeJS.Timeout>();
  const notify = (topic: string): void => {
    announcing.delete(topic);
    source.notify(topic).catch(() => notifyIn(ANNOUNCED_AGAIN_MS, topic));
  };
  const notifyIn = (ms: number, topic: string): void => {
    if (!isStopped && !announcing.has(topic)) announcing.set(topic, setTimeout(notify, ms, topic));
  };
  let isStopped = false;
  return {
    add: (round) => alarms.add(round),
    wake: (topic) => alarms.wake(topic),
    announce: (topic) => {
      if (alarms.has(topic)) alarms.wake(topic);
      else notifyIn(ANNOUNCED_APART_MS, topic);
    },
    settle: () => alarms.settle(),
    stop: async () => {
      // A read of due times may wait for a connection.
      await Promise.all([alarms.stop(), source.stop()]);
      isStopped = true;
      for (const [topic, timer] of announcing) {
        clearTimeout(timer);
        await source.notify(topic).catch(() => undefined);
      }
      announcing.clear();
    },
  };
}
