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

/** Starts to schedule the background work of this process, and to receive wake-ups from Postgres, until `stop`. */
export function startAlarms({ sql, ...options }: Omit<AlarmOptions, "source"> & { sql: Pool }): StartedAlarms {
  const source = new PostgresAlarms(sql);
  const alarms = new Alarms({ ...options, source });
  source.listen({ onWake: (topic) => alarms.wake(topic), onConnect: () => alarms.wakeAll() });
  const announcing = new Map<string, NodeJS.Timeout>();
  const notify = (topic: string): void => {
    announcing.delete(topic);
    // The safety net of the others makes up for one that is lost.
    source.notify(topic).catch(() => undefined);
  };
  return {
    add: (round) => alarms.add(round),
    wake: (topic) => alarms.wake(topic),
    announce: (topic) => {
      if (alarms.has(topic)) alarms.wake(topic);
      else if (!announcing.has(topic)) announcing.set(topic, setTimeout(notify, ANNOUNCED_APART_MS, topic));
    },
    settle: () => alarms.settle(),
    stop: async () => {
      await alarms.stop();
      for (const [topic, timer] of announcing) {
        clearTimeout(timer);
        await source.notify(topic).catch(() => undefined);
      }
      announcing.clear();
      await source.stop();
    },
  };
}
