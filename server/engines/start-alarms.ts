import type { Pool } from "pg";
import { type AlarmOptions, Alarms } from "../kernel/alarms";
import { PostgresAlarms } from "./postgres/postgres-alarms";

/** How often a process tells others that the same work on a hot path is due. */
const ANNOUNCED_APART_MS = 500;

/** What gives rounds to the clock of background work, and wakes them. */
export interface StartedAlarms extends Pick<Alarms, "add" | "settle" | "stop"> {
  /** Makes the rounds of a topic due in this process; if it has none, in others, at most twice a second. */
  wake(topic: string): void;
}

/** Starts the clock of background work of this process, which listens to Postgres until `stop`. */
export function startAlarms({ sql, ...options }: Omit<AlarmOptions, "source"> & { sql: Pool }): StartedAlarms {
  const source = new PostgresAlarms(sql);
  const alarms = new Alarms({ ...options, source });
  source.listen({ onWake: (topic) => alarms.wake(topic), onConnect: () => alarms.wakeAll() });
  return {
    add: (round) => alarms.add(round),
    settle: () => alarms.settle(),
    wake: (topic) => {
      if (alarms.isWokenBy(topic)) alarms.wake(topic);
      else source.announce(topic, ANNOUNCED_APART_MS);
    },
    stop: async () => {
      await alarms.stop();
      await source.stop();
    },
  };
}
