"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { useMode } from "../../components/shell/mode";
import { ValueField } from "./value-field";

interface CreateSecretDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateSecretDialog({ open, onOpenChange }: CreateSecretDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a secret in ${mode} mode`}
      description="The value is encrypted. Programs refer to it by the name."
    >
      <CreateSecretForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

/** Is no id of a project. */
const WHOLE_TENANT = "*";

function CreateSecretForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const { projects } = useProjects();
  const create = useMutation(
    trpc.createSecret.mutationOptions({
      // The variables of a mutation are kept as long as it is: they contain the value.
      ...{ gcTime: 0, meta: { inline: true, done: "Secret stored." } },
      onSuccess: ({ id }) => router.push(`/cloud/secrets/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const project = textIn(fields, "project");
    create.mutate({
      ...{ name: textIn(fields, "name"), value: rawTextIn(fields, "value"), mode },
      ...(project === WHOLE_TENANT ? { tenant: true } : project && { project }),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        placeholder="SMTP_PASSWORD"
        maxLength={128}
        autoComplete="off"
        spellCheck={false}
        hint="Letters, digits, dots, hyphens and underscores."
      />
      <SelectField
        name="project"
        label="Project"
        hint="Who can use it. A project's own secret comes before one of all projects with the same name."
      >
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
        <option value={WHOLE_TENANT}>All projects</option>
      </SelectField>
      <ValueField />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create secret
        </Button>
      </div>
    </Form>
  );
}
