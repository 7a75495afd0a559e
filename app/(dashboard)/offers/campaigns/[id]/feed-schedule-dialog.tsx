"use client";

import { useMutation } from "@tanstack/react-query";
import { CheckboxField, SelectField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { FormButtons } from "../../../../components/form/form-buttons";
import { choiceIn, rawTextIn, textIn, textOrNullIn } from "../../../../components/form/read-fields";
import { Dialog } from "../../../../components/ui/dialog";
import { useTRPC } from "../../../../trpc/client";
import { type FeedSchedule, type Interval, intervalText } from "./feed-schedule-text";

const INTERVALS = ["1h", "6h", "24h"] as const satisfies readonly Interval[];

interface FeedScheduleDialogProps {
  campaignId: string;
  /** undefined: the campaign has none yet. */
  schedule: FeedSchedule | undefined;
  open: boolean;
  onClose: () => void;
}

export const FeedScheduleDialog = ({ open, onClose, ...form }: FeedScheduleDialogProps) => (
  <Dialog
    open={open}
    onOpenChange={onClose}
    title="Feed schedule"
    description="svc fetches the feed from this URL and imports it like an upload."
  >
    {open && <ScheduleForm {...form} onDone={onClose} />}
  </Dialog>
);

function ScheduleForm({
  campaignId,
  schedule,
  onDone,
}: Pick<FeedScheduleDialogProps, "campaignId" | "schedule"> & { onDone: () => void }) {
  const trpc = useTRPC();
  const set = useMutation(
    trpc.setFeedSchedule.mutationOptions({
      meta: { inline: true, done: "Feed schedule saved." },
      onSuccess: onDone,
    }),
  );
  const submit = (fields: FormData) => {
    const password = rawTextIn(fields, "password");
    set.mutate({
      id: campaignId,
      url: textIn(fields, "url"),
      interval: choiceIn(fields, "interval", INTERVALS),
      remove_missing: fields.has("remove_missing"),
      username: textOrNullIn(fields, "username"),
      ...(password !== "" && { password }),
    });
  };
  return (
    <Form error={set.error} saving={set.status} onSubmit={submit}>
      <TextField
        name="url"
        label="Feed URL"
        type="url"
        defaultValue={schedule?.url}
        placeholder="https://shop.example/feeds/google.xml"
        hint="https only, on a public host. CSV, TSV, NDJSON, RSS or Atom with Google Merchant names, plain or gzip."
        autoComplete="off"
      />
      <SelectField name="interval" label="Fetch" defaultValue={schedule?.interval ?? "24h"}>
        {INTERVALS.map((interval) => (
          <option key={interval} value={interval}>
            {intervalText(interval)}
          </option>
        ))}
      </SelectField>
      <CheckboxField
        name="remove_missing"
        label="Remove products that are no longer in the feed"
        hint="Also products that were uploaded to this campaign. Only after the whole feed was read, and never more than half of them at once."
        defaultChecked={schedule?.remove_missing ?? true}
      />
      <Credentials username={schedule?.username ?? ""} />
      <FormButtons label="Save schedule" pending={set.isPending} onCancel={onDone} />
    </Form>
  );
}

const Credentials = ({ username }: { username: string }) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <TextField
      name="username"
      label="User name"
      optional
      defaultValue={username}
      hint="For HTTP basic authentication."
      autoComplete="off"
    />
    <TextField
      name="password"
      label="Password"
      optional
      type="password"
      hint={username === "" ? "Stored encrypted." : "Leave empty to keep the stored one."}
      autoComplete="new-password"
    />
  </div>
);
