import { Cron } from "croner";
import { z } from "zod";
import { exactJson } from "../../../kernel/exact-number";
import { Payload } from "./payload";

const CRON_CHARACTERS_MAX = 100;
const FIELDS = 5;
const PAYLOAD_BYTES_MAX = 16 * 1024;
/** A schedule without a time after this one has none at all. */
const ANY_TIME = new Date("2026-01-01T00:00:00Z");

const scheduleFields = {
  cron: z
    .string()
    .max(CRON_CHARACTERS_MAX)
    .describe(
      "Minute, hour, day of the month, month and day of the week, such as `*/15 9-17 * * MON-FRI`; with both days given, either of them",
    )
    .meta({ examples: ["0 6 * * *"] }),
  timezone: z.string().max(64).describe("The time zone of `cron`, such as `Europe/Berlin`; default `UTC`"),
  payload: Payload.describe("What scheduled invocations receive: a JSON value of at most 16 KiB; default null"),
};

/** When a function is called, as it is returned. */
export const FunctionSchedule = z.object(scheduleFields);
export type FunctionSchedule = z.infer<typeof FunctionSchedule>;

/** The same as a client sends it. */
export const ScheduleInput = z
  .strictObject({
    cron: scheduleFields.cron,
    timezone: scheduleFields.timezone.default("UTC"),
    payload: scheduleFields.payload
      .default(null)
      .refine((payload) => Buffer.byteLength(exactJson(payload)) <= PAYLOAD_BYTES_MAX, "expected at most 16 KiB"),
  })
  .superRefine(({ cron, timezone }, { addIssue }) => {
    if (!isTimeZone(timezone)) {
      addIssue({ code: "custom", path: ["timezone"], message: "expected an IANA time zone such as Europe/Berlin" });
    } else {
      const message = cronIssue(cron);
      if (message !== undefined) addIssue({ code: "custom", path: ["cron"], message });
    }
  });

/**
 * The first time of a schedule after another time; null if there is none. A local time that the clocks skip is replaced by
 * the next one that exists, and one that they repeat counts once.
 */
export function nextTime({ cron, timezone }: Omit<FunctionSchedule, "payload">, after: Date): Date | null {
  try {
    return new Cron(cron, { mode: "5-part", paused: true, timezone }).nextRun(after);
  } catch {
    return null;
  }
}

/** What is wrong with an expression. */
function cronIssue(cron: string): string | undefined {
  if (cron.trim().split(/\s+/).length !== FIELDS)
    return "expected 5 fields: minute, hour, day of the month, month and day of the week, such as 0 6 * * *";
  try {
    const next = new Cron(cron, { mode: "5-part", paused: true }).nextRun(ANY_TIME);
    return next ? undefined : "expected times that come; no date matches the expression";
  } catch (cause) {
    return `expected a cron expression such as 0 6 * * *: ${cause instanceof Error ? cause.message : cause}`;
  }
}

function isTimeZone(timeZone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone }) !== undefined;
  } catch {
    return false;
  }
}
