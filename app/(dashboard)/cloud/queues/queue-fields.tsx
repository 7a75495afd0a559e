"use client";

import { useQuery } from "@tanstack/react-query";
import { Field, SelectField, TextField } from "../../../components/form/fields";
import { Input, Select } from "../../../components/ui/input";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import type { QueueSettings } from "./queue";
import { amountIn, type DurationUnit, RETENTION, VISIBILITY_TIMEOUT } from "./read-queue";

/** The defaults of the API. */
export const NEW_QUEUE = { name: "", visibility_timeout_s: 30, retention_s: 345_600, max_receives: 5, dlq: null };

interface QueueFieldsProps {
  queue: Pick<QueueSettings, "name" | "visibility_timeout_s" | "retention_s" | "max_receives" | "dlq">;
  /** The project of the queue, whose other queues can be its dead-letter queue; undefined: the first one. */
  projectId: string | undefined;
}

/** The settings of a queue; read them with `queueIn`, and the dead-letter queue as `dlq`. */
export const QueueFields = ({ queue, projectId }: QueueFieldsProps) => (
  <>
    <TextField
      name="name"
      label="Name"
      defaultValue={queue.name}
      placeholder="emails"
      maxLength={80}
      autoComplete="off"
      spellCheck={false}
      hint="Letters, digits, dots, hyphens and underscores. Programs name the queue by it."
    />
    <div className="grid gap-5 sm:grid-cols-2">
      <DurationField
        name="visibility_timeout_s"
        label="Visibility timeout"
        seconds={queue.visibility_timeout_s}
        units={VISIBILITY_TIMEOUT.units}
        hint="How long a consumer has for a message before it is delivered again: more than the work takes."
      />
      <DurationField
        name="retention_s"
        label="Retention"
        seconds={queue.retention_s}
        units={RETENTION.units}
        hint="Messages that are not acknowledged are deleted after this time, 14 days at most."
      />
      <DlqField key={projectId} queue={queue} projectId={projectId} />
      <TextField
        name="max_receives"
        label="Max receives"
        type="number"
        min={1}
        max={1000}
        defaultValue={queue.max_receives}
        hint="After so many receives without acknowledgement a message moves to the dead-letter queue."
      />
    </div>
  </>
);

interface DurationFieldProps {
  name: string;
  label: string;
  seconds: number;
  units: readonly DurationUnit[];
  hint: string;
}

const DurationField = ({ name, label, seconds, units, hint }: DurationFieldProps) => {
  const { amount, unit } = amountIn(seconds, units);
  return (
    <Field
      name={name}
      label={label}
      hint={hint}
      render={(control) => (
        <div className="flex gap-2">
          <Input {...control} type="number" min={0} step="any" defaultValue={amount} className="flex-1" />
          <Select name={`${name}_unit`} aria-label={`Unit of ${label.toLowerCase()}`} defaultValue={unit}>
            {units.map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </div>
      )}
    />
  );
};

const QUEUES_MAX = 1000;

function DlqField({ queue: { name, dlq }, projectId }: QueueFieldsProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const list = useQuery(
    trpc.listQueues.queryOptions({ mode, limit: QUEUES_MAX, ...(projectId && { project: projectId }) }),
  );
  const names = (list.data?.data ?? []).map((queue) => queue.name).filter((other) => other !== name || name === "");
  const choices = [...new Set([...(dlq === null ? [] : [dlq]), ...names])].sort((a, b) => a.localeCompare(b, "en"));
  return (
    <SelectField
      key={list.status}
      name="dlq"
      label="Dead-letter queue"
      optional
      defaultValue={dlq ?? ""}
      hint="Another queue of the project, for messages that fail again and again. Without one they are delivered until their retention ends."
    >
      <option value="">none</option>
      {choices.map((choice) => (
        <option key={choice}>{choice}</option>
      ))}
    </SelectField>
  );
}
