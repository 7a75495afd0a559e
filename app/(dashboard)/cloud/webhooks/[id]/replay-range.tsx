import { RotateCcw } from "lucide-react";
import { useState } from "react";
import { toast } from "sonner";
import { SelectField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { choiceIn, textIn } from "../../../../components/form/read-fields";
import { Button } from "../../../../components/ui/button";
import { Dialog } from "../../../../components/ui/dialog";
import { formatDateTime, toDateTimeLocal } from "../../../../format/dates";
import { formatCount } from "../../../../format/numbers";
import type { Outputs } from "../../../../trpc/client";
import { FieldError } from "../../../../trpc/failure";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { Webhook } from "../webhook";

const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

/** Sends the events of a time range again; the dialog says what that means before its button does it. */
export function ReplayRange({ webhook }: { webhook: Webhook }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button variant="outline" size="sm" onClick={() => setOpen(true)} icon={RotateCcw}>
        Replay a time range
      </Button>
      <Dialog
        open={open}
        onOpenChange={setOpen}
        title="Replay a time range"
        description="Sends the events of these deliveries again, the oldest 10,000 at most, with the same event ids. An endpoint that ignores ids it has already processed is not affected by duplicates."
      >
        {open && <RangeForm webhook={webhook} onDone={() => setOpen(false)} />}
      </Dialog>
    </>
  );
}

function RangeForm({ webhook: { id }, onDone }: { webhook: Webhook; onDone: () => void }) {
  const replay = useMutationOf("replayWebhookDeliveries", {
    meta: { inline: true },
    onSuccess: (result) => {
      toast.success(replayedText(result));
      onDone();
    },
  });
  const [now] = useState(() => Date.now());
  const submit = (fields: FormData) => {
    const [from, to] = [timeIn(fields, "from"), timeIn(fields, "to")];
    if (from >= to) throw new FieldError("to", "Choose an end that is after the start.");
    const status = choiceIn(fields, "status", ["failed", "succeeded"]);
    replay.mutate({ id, from: from.toISOString(), to: to.toISOString(), status });
  };
  return (
    <Form sends={replay} onSubmit={submit} label="Replay deliveries" onCancel={onDone}>
      <SelectField name="status" label="Deliveries" defaultValue="failed">
        <option value="failed">Failed</option>
        <option value="succeeded">Succeeded</option>
      </SelectField>
      <div className="grid gap-4 sm:grid-cols-2">
        <TextField
          name="from"
          label="Created from"
          type="datetime-local"
          defaultValue={toDateTimeLocal(new Date(now - DAY_MS).toISOString())}
        />
        <TextField
          name="to"
          label="Created before"
          type="datetime-local"
          // The field has no seconds: the next minute includes what was created until now.
          defaultValue={toDateTimeLocal(new Date(now + MINUTE_MS).toISOString())}
          hint="In your time zone."
        />
      </div>
    </Form>
  );
}

function timeIn(fields: FormData, name: string): Date {
  const at = new Date(textIn(fields, name));
  if (Number.isNaN(at.getTime())) throw new FieldError(name, "Enter a date and a time.");
  return at;
}

function replayedText({ replayed, next_from }: Outputs["replayWebhookDeliveries"]): string {
  const count = `${formatCount(replayed)} ${replayed === 1 ? "delivery is" : "deliveries are"} sent again.`;
  return next_from === null ? count : `${count} Replay again from ${formatDateTime(next_from)} for the rest.`;
}
