"use client";

import { SelectField } from "../../../components/form/fields";
import { textIn } from "../../../components/form/read-fields";
import { createSecretInput } from "../../../generated/inputs/createSecret";
import { useProjects } from "../../account/api-keys/use-projects";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { ValueField } from "./value-field";

export const CreateSecretDialog = (state: DialogState) => (
  <CreateDialog what="a secret" description="The value is encrypted. Programs refer to it by the name." {...state}>
    <SchemaForm
      input={createSecretInput}
      fields={{
        name: { placeholder: "SMTP_PASSWORD", hint: "Letters, digits, dots, hyphens and underscores." },
        project: { render: () => <OwnerField />, read: projectIn },
        tenant: { render: () => null, read: (fields) => (projectIn(fields) ? undefined : true) },
        value: { as: "code", render: () => <ValueField /> },
      }}
      submit="Create secret"
      done="Secret stored."
      page={({ id }) => `/cloud/secrets/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);

/** Is no id of a project. */
const WHOLE_TENANT = "*";

/** Undefined: none, but the whole tenant. */
function projectIn(fields: FormData): string | undefined {
  const project = textIn(fields, "project");
  return project === WHOLE_TENANT ? undefined : project;
}

function OwnerField() {
  const { projects } = useProjects();
  return (
    <SelectField
      // All projects is chosen by people, not because the others load later.
      key={projects.length}
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
  );
}
