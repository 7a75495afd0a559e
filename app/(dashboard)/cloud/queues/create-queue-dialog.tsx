"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { SelectField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { useMode } from "../../components/shell/mode";
import { NEW_QUEUE, QueueFields } from "./queue-fields";
import { queueIn } from "./read-queue";

interface CreateQueueDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateQueueDialog({ open, onOpenChange }: CreateQueueDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a queue in ${mode} mode`}
      description="The settings can be changed later, also while the queue has messages."
      className="max-w-2xl"
    >
      <CreateQueueForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateQueueForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const { projects } = useProjects();
  const [projectId, setProjectId] = useState<string>();
  const create = useMutation(
    trpc.createQueue.mutationOptions({
      meta: { inline: true, done: "Queue created." },
      onSuccess: ({ id }) => router.push(`/cloud/queues/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const dlq = textIn(fields, "dlq");
    create.mutate({
      ...queueIn(fields),
      ...{ mode, ...(dlq && { dlq }), ...(projectId && { project: projectId }) },
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      {projects.length > 1 && (
        <SelectField
          name="project"
          label="Project"
          value={projectId ?? projects[0]?.id}
          onChange={(event) => setProjectId(event.target.value)}
          hint="API keys of this project can use the queue."
        >
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <QueueFields queue={NEW_QUEUE} projectId={projectId ?? projects[0]?.id} />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create queue
        </Button>
      </div>
    </Form>
  );
}
