import type { Pool } from "pg";
import { type AlarmOptions, Alarms } from "../kernel/alarms";
import { PostgresAlarms } from "./postgres/postgres-alarms";

/** The schedule of background work: rounds are added to it. */
export type StartedAlarms = Pick<Alarms, "add" | "wake" | "settle" | "stop">;

/** Starts to schedule the background work of this process, and to receive wake-ups from Postgres, until `stop`. */
export function startAlarms({ sql, ...options }: Omit<AlarmOptions, "source"> & { sql: Pool }): StartedAlarms {
  const source = new PostgresAlarms(sql);
  const alarms = new Alarms({ ...options, source });
  source.listen({ onWake: (topic) => alarms.wake(topic), onConnect: () => alarms.wakeAll() });
  return {
    add: (round) => alarms.add(round),
    wake: (topic) => alarms.wake(topic),
    settle: () => alarms.settle(),
    stop: async () => {
      await alarms.stop();
      await source.stop();
    },
  };
}
