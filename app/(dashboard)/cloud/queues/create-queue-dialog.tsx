"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { textIn } from "../../../components/form/read-fields";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { ProjectField } from "../../components/project-field";
import { useMode } from "../../components/shell/mode";
import { NEW_QUEUE, QueueFields } from "./queue-fields";
import { queueIn } from "./read-queue";

export const CreateQueueDialog = (state: DialogState) => (
  <CreateDialog
    what="a queue"
    description="The settings can be changed later, also while the queue has messages."
    className="max-w-2xl"
    {...state}
  >
    <CreateQueueForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

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
      mode,
      ...(dlq && { dlq }),
      ...(projectId && { project: projectId }),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <ProjectField
        value={projectId ?? projects[0]?.id}
        onChange={({ target }) => setProjectId(target.value)}
        hint="API keys of this project can use the queue."
      />
      <QueueFields queue={NEW_QUEUE} projectId={projectId ?? projects[0]?.id} />
      <FormButtons label="Create queue" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
