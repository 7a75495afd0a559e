"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { SelectField, TextAreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { choicesIn, linesIn, textIn } from "../../../components/form/read-fields";
import { QueryContent } from "../../../components/query-content";
import { Dialog } from "../../../components/ui/dialog";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { FieldError } from "../../../trpc/failure";
import { useMode } from "../../components/shell/mode";
import type { ScopeInfo } from "./scope-groups";
import { ScopePicker } from "./scope-picker";
import { useProjects } from "./use-projects";

export type CreatedKey = Outputs["createKey"];

interface CreateApiKeyDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** The project that is selected initially. */
  projectId: string;
  /** Receives the key, which is never shown again. */
  onCreated: (created: CreatedKey) => void;
}

export function CreateApiKeyDialog({ open, onOpenChange, ...form }: CreateApiKeyDialogProps) {
  const trpc = useTRPC();
  const scopes = useQuery(trpc.listScopes.queryOptions());
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a ${mode} key`}
      description="Grant only the scopes that the program needs."
      className="max-w-2xl"
    >
      <QueryContent query={scopes}>
        {(known) => <CreateApiKeyForm {...form} scopes={known} onCancel={() => onOpenChange(false)} />}
      </QueryContent>
    </Dialog>
  );
}

interface CreateApiKeyFormProps extends Pick<CreateApiKeyDialogProps, "projectId" | "onCreated"> {
  scopes: ScopeInfo[];
  onCancel: () => void;
}

function CreateApiKeyForm({ scopes, projectId, onCancel, onCreated }: CreateApiKeyFormProps) {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { projects } = useProjects();
  const create = useMutation(
    trpc.createKey.mutationOptions({ meta: { inline: true }, onSuccess: (created) => onCreated(created) }),
  );
  const submit = (fields: FormData) => {
    const names = scopes.map(({ scope }) => scope);
    const chosen = choicesIn(fields, "scopes", names);
    if (chosen.length === 0) throw new FieldError("scopes", "Choose at least one scope.");
    const project = textIn(fields, "project");
    const day = textIn(fields, "expires_at");
    create.mutate({
      name: textIn(fields, "name"),
      scopes: chosen,
      mode,
      allowed_addresses: linesIn(fields, "allowed_addresses"),
      ...(project ? { project } : {}),
      ...(day ? { expires_at: new Date(`${day}T23:59:59`).toISOString() } : {}),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <div className="grid gap-5 sm:grid-cols-2">
        <TextField name="name" label="Name" placeholder="Nightly feed upload" maxLength={100} autoComplete="off" />
        <SelectField key={projects.length} name="project" label="Project" defaultValue={projectId}>
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      </div>
      <ScopePicker scopes={scopes} />
      <div className="grid gap-5 sm:grid-cols-2">
        <TextAreaField
          name="allowed_addresses"
          label="Allowed addresses"
          optional
          rows={3}
          spellCheck={false}
          placeholder={"203.0.113.7\n2001:db8::/32"}
          hint="One address or network per line. Leave empty to allow any address."
        />
        <TextField
          name="expires_at"
          label="Expires after"
          optional
          type="date"
          hint="The end of that day, in your time zone. Leave empty for no expiry."
        />
      </div>
      <FormButtons label={`Create ${mode} key`} pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
