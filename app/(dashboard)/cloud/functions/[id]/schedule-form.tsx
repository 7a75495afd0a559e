import { TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { numberIn, textIn } from "../../../../components/form/read-fields";
import { Section } from "../../../../components/ui/card";
import { formatDateTime } from "../../../../format/dates";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { CloudFunction } from "../function";

/** When svc calls the function, and how often a call that no client waits for is repeated. */
export function ScheduleForm({ of: { id, schedule, next_run_at, retries_max } }: { of: CloudFunction }) {
  const update = useMutationOf("updateFunction", { meta: { inline: true, done: "Saved." } });
  const submit = (fields: FormData) => {
    const [cron, timezone] = [textIn(fields, "cron"), textIn(fields, "timezone") || "UTC"];
    const payload = schedule?.payload ?? null;
    update.mutate({
      id,
      retries_max: numberIn(fields, "retries_max"),
      schedule: cron === "" ? null : { cron, timezone, payload },
    });
  };
  return (
    <Section
      title="Schedule"
      description={next_run_at ? `The next call is at ${formatDateTime(next_run_at)}.` : "No call is scheduled."}
    >
      <Form sends={update} saving={update.status} fieldOf={fieldOf} onSubmit={submit} label="Save">
        <TextField
          name="cron"
          label="Cron expression"
          optional
          defaultValue={schedule?.cron ?? ""}
          placeholder="0 6 * * *"
          spellCheck={false}
          maxLength={100}
          hint="Minute, hour, day of the month, month and day of the week. Empty: the function is called on request only."
        />
        <TextField
          name="timezone"
          label="Time zone"
          optional
          defaultValue={schedule?.timezone ?? "UTC"}
          placeholder="Europe/Berlin"
          spellCheck={false}
          maxLength={64}
        />
        <TextField
          name="retries_max"
          label="Retries"
          type="number"
          min={0}
          max={5}
          defaultValue={retries_max}
          hint="How often a call that no client waits for runs again after it failed."
        />
      </Form>
    </Section>
  );
}

/** Errors name the member of the schedule. */
const fieldOf = (param: string): string => param.replace("schedule.", "");
