import { pino } from "pino";
import { onTestFinished } from "vitest";
import { startAlarms } from "../../server/engines/start-alarms";
import { systemClock } from "../../server/kernel/clock";

type Options = Partial<Parameters<typeof startAlarms>[0]> & Pick<Parameters<typeof startAlarms>[0], "sql">;

/** Schedules the background work of a test that starts parts of svc; it stops when the test ends. */
export function testAlarms({ sql, clock = systemClock, log = pino({ level: "silent" }), isManual }: Options) {
  const alarms = startAlarms({ sql, clock, log, ...(isManual === undefined ? {} : { isManual }) });
  onTestFinished(() => alarms.stop());
  return alarms;
}
