"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { useMode } from "../../components/shell/mode";
import { ValueField } from "./value-field";

export const CreateSecretDialog = (state: DialogState) => (
  <CreateDialog what="a secret" description="The value is encrypted. Programs refer to it by the name." {...state}>
    <CreateSecretForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

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
      gcTime: 0,
      meta: { inline: true, done: "Secret stored." },
      onSuccess: ({ id }) => router.push(`/cloud/secrets/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const project = textIn(fields, "project");
    create.mutate({
      name: textIn(fields, "name"),
      value: rawTextIn(fields, "value"),
      mode,
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
      <FormButtons label="Create secret" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
