"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { CheckboxField, SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { choiceIn, textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { useMode } from "../../components/shell/mode";
import { TIER_NAMES, TierField } from "./tier-field";

interface CreateBucketDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateBucketDialog({ open, onOpenChange }: CreateBucketDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a bucket in ${mode} mode`}
      description="The name stays; the other settings can be changed later."
    >
      <CreateBucketForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateBucketForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const { projects } = useProjects();
  const create = useMutation(
    trpc.createBucket.mutationOptions({
      meta: { inline: true, done: "Bucket created." },
      onSuccess: ({ id }) => router.push(`/cloud/storage/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const project = textIn(fields, "project");
    create.mutate({
      ...{ name: textIn(fields, "name"), mode, ...(project && { project }) },
      versioning: fields.has("versioning") ? "on" : "off",
      public_read: fields.has("public_read"),
      tier: choiceIn(fields, "tier", TIER_NAMES),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      {projects.length > 1 && (
        <SelectField name="project" label="Project" hint="API keys of this project can use the bucket.">
          {projects.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </SelectField>
      )}
      <TextField
        name="name"
        label="Name"
        placeholder="acme-reports"
        maxLength={63}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="3 to 63 lowercase letters, digits, dots and hyphens. Names are unique in this installation."
      />
      <TierField />
      <CheckboxField
        name="versioning"
        label="Keep older versions"
        hint="Objects that are replaced or deleted can be restored, and their bytes count until they are deleted permanently."
      />
      <CheckboxField
        name="public_read"
        label="Public"
        hint="Anyone who knows an object's address can read it, without credentials."
      />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create bucket
        </Button>
      </div>
    </Form>
  );
}
