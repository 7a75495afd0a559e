"use client";

import { useState } from "react";
import { createQueueInput } from "../../../generated/inputs/createQueue";
import { useProjects } from "../../account/api-keys/use-projects";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { queueFields } from "./queue-fields";

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
  const { projects } = useProjects();
  const [chosen, setChosen] = useState<string>();
  const projectId = chosen ?? projects[0]?.id;
  return (
    <SchemaForm
      input={createQueueInput}
      fields={{
        project: { value: projectId, onChange: setChosen, hint: "API keys of this project can use the queue." },
        ...queueFields({ projectId }),
      }}
      submit="Create queue"
      done="Queue created."
      page={({ id }) => `/cloud/queues/${id}`}
      onCancel={onCancel}
    />
  );
}
