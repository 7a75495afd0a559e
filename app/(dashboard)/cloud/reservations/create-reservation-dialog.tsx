"use client";

import { useQuery } from "@tanstack/react-query";
import { type ChangeEvent, useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { formatDateTime, toDateTimeLocal } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useMutationOf } from "../../../trpc/use-operation";
import { ProjectField } from "../../components/project-field";
import { useMode } from "../../components/shell/mode";
import { moneyText, type Pool, type ReservationCalendar, TERM_TEXTS } from "./reservation";

interface CreateReservationDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** What is chosen at first. */
  pool: Pool;
  gpus: readonly Pool["gpu"][];
  regions: readonly Pool["region"][];
}

export function CreateReservationDialog({ open, onOpenChange, ...form }: CreateReservationDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="Reserve GPUs"
      description="In test mode GPUs and prices are simulated, and nothing is invoiced."
      className="max-w-xl"
    >
      <CreateReservationForm {...form} onClose={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface Plan extends Pool {
  count: string;
  duration: keyof typeof TERM_TEXTS;
  startsAt: string;
}

type Change = (event: ChangeEvent<HTMLInputElement | HTMLSelectElement>) => void;

type FormProps = Omit<CreateReservationDialogProps, "open" | "onOpenChange"> & { onClose: () => void };

function CreateReservationForm({ pool, gpus, regions, onClose }: FormProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const [plan, setPlan] = useState<Plan>({ ...pool, count: "8", duration: "30d", startsAt: "" });
  const change =
    (part: keyof Plan): Change =>
    ({ target: { value } }) =>
      setPlan({ ...plan, [part]: value });
  const { gpu, region, duration } = plan;
  const count = Math.max(1, Math.min(10_000, Math.floor(Number(plan.count)) || 1));
  const calendar = useQuery({
    ...trpc.getReservationCalendar.queryOptions({ gpu, region, duration, count, days: 1, mode }),
    placeholderData: (previous) => previous,
  });
  const create = useMutationOf("createReservation", {
    meta: { inline: true, done: "GPUs reserved." },
    onSuccess: onClose,
  });
  const submit = (fields: FormData) => {
    const [name, startsAt, project] = ["name", "starts_at", "project"].map((field) => textIn(fields, field));
    create.mutate({
      mode,
      gpu,
      region,
      count,
      duration,
      ...(name && { name }),
      ...(startsAt && { starts_at: new Date(startsAt).toISOString() }),
      ...(project && { project }),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <PlanFields plan={plan} change={change} gpus={gpus} regions={regions} />
      <OwnFields plan={plan} change={change} />
      {calendar.data && (
        <Commitment
          calendar={calendar.data}
          duration={duration}
          onStart={(startsAt) => setPlan({ ...plan, startsAt })}
        />
      )}
      <div className="flex flex-wrap justify-end gap-2">
        <Button variant="outline" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          {calendar.data ? `Reserve for ${moneyText(calendar.data.total_price, calendar.data.currency)}` : "Reserve"}
        </Button>
      </div>
    </Form>
  );
}

interface PlanFieldsProps extends Pick<CreateReservationDialogProps, "gpus" | "regions"> {
  plan: Plan;
  change: (part: keyof Plan) => Change;
}

const PlanFields = ({ plan, change, gpus, regions }: PlanFieldsProps) => (
  <div className="grid gap-4 sm:grid-cols-2">
    <SelectField name="gpu" label="GPU" value={plan.gpu} onChange={change("gpu")}>
      {gpus.map((gpu) => (
        <option key={gpu} value={gpu}>
          {gpu.toUpperCase()}
        </option>
      ))}
    </SelectField>
    <SelectField name="region" label="Region" value={plan.region} onChange={change("region")}>
      {regions.map((region) => (
        <option key={region}>{region}</option>
      ))}
    </SelectField>
    <TextField
      name="count"
      label="Number of GPUs"
      type="number"
      min={1}
      value={plan.count}
      onChange={change("count")}
      hint="Whole nodes first, so that large pods fit."
    />
    <SelectField name="duration" label="Term" value={plan.duration} onChange={change("duration")}>
      {Object.entries(TERM_TEXTS).map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </SelectField>
  </div>
);

function OwnFields({ plan, change }: Pick<PlanFieldsProps, "plan" | "change">) {
  return (
    <>
      <TextField
        name="starts_at"
        label="Start"
        optional
        type="datetime-local"
        value={plan.startsAt}
        onChange={change("startsAt")}
        hint="At most 90 days ahead; empty: now."
      />
      <TextField
        name="name"
        label="Name"
        optional
        placeholder="training"
        maxLength={100}
        autoComplete="off"
        hint="Shown in lists. Left empty, svc makes one from the ID."
      />
      <ProjectField hint="API keys of this project can see the reservation." />
    </>
  );
}

interface CommitmentProps {
  calendar: ReservationCalendar;
  duration: Plan["duration"];
  onStart: (startsAt: string) => void;
}

/** What is owed, and when it can begin. */
function Commitment({ calendar, duration, onStart }: CommitmentProps) {
  const { currency, price_per_hour: perHour, total_price: total, earliest_start: earliest } = calendar;
  const isNow = earliest !== null && Date.parse(earliest) <= Date.parse(calendar.free[0]?.at ?? "") + SOON_MS;
  return (
    <output className="block space-y-1.5 rounded-lg bg-muted/60 px-3.5 py-2.5 text-sm">
      <p>
        <span className="font-semibold text-base tabular-nums">{moneyText(total, currency)}</span> for{" "}
        {TERM_TEXTS[duration]}: {moneyText(perHour, currency)} per hour for each hour of the term, used or not. It can
        be canceled free of charge until its start, and within an hour if no pod has used it; after that the whole term
        is paid.
      </p>
      <p>
        Earliest start: {earliest === null ? "none within 90 days" : isNow ? "now" : formatDateTime(earliest)}.{" "}
        {earliest !== null && !isNow && (
          <Button variant="outline" size="sm" onClick={() => onStart(toDateTimeLocal(nextMinute(earliest)))}>
            Use it
          </Button>
        )}
      </p>
    </output>
  );
}

const MINUTE_MS = 60_000;
const SOON_MS = 2000;

/** The field has minutes, and the start must not be before the earliest. */
const nextMinute = (iso: string): string => new Date(Math.ceil(Date.parse(iso) / MINUTE_MS) * MINUTE_MS).toISOString();
