"use client";

import { SelectField } from "../../../components/form/fields";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import type { QueueSettings } from "./queue";

interface QueueFieldsProps {
  queue?: Pick<QueueSettings, "name" | "dlq">;
  /** The project of the queue, whose other queues can be its dead-letter queue; undefined: the first one. */
  projectId: string | undefined;
}

/** The settings of a queue, for the forms that create and change one. */
export const queueFields = (props: QueueFieldsProps) => ({
  name: {
    placeholder: "emails",
    hint: "Letters, digits, dots, hyphens and underscores. Programs name the queue by it.",
  },
  visibility_timeout_s: {
    label: "Visibility timeout",
    hint: "How long a consumer has for a message before it is delivered again: more than the work takes.",
    isHalf: true,
    ...(!props.queue && { value: 30 }),
  },
  retention_s: {
    hint: "Messages that are not acknowledged are deleted after this time, 14 days at most.",
    isHalf: true,
  },
  dlq: { isHalf: true, render: () => <DlqField key={props.projectId} {...props} /> },
  max_receives: {
    hint: "A message that was received this many times without being acknowledged moves to the dead-letter queue.",
    isHalf: true,
  },
});

const QUEUES_MAX = 1000;

function DlqField({ queue: { name, dlq } = { name: "", dlq: null }, projectId }: QueueFieldsProps) {
  const { mode } = useMode();
  const list = useQueryOf("listQueues", { mode, limit: QUEUES_MAX, ...(projectId && { project: projectId }) });
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
