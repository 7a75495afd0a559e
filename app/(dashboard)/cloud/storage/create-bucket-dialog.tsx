"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { CheckboxField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { choiceIn, textIn } from "../../../components/form/read-fields";
import { useTRPC } from "../../../trpc/client";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { ProjectField, projectIn } from "../../components/project-field";
import { useMode } from "../../components/shell/mode";
import { TIER_NAMES, TierField } from "./tier-field";

export const CreateBucketDialog = (state: DialogState) => (
  <CreateDialog what="a bucket" description="The name stays; the other settings can be changed later." {...state}>
    <CreateBucketForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

function CreateBucketForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createBucket.mutationOptions({
      meta: { inline: true, done: "Bucket created." },
      onSuccess: ({ id }) => router.push(`/cloud/storage/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    create.mutate({
      name: textIn(fields, "name"),
      mode,
      ...projectIn(fields),
      versioning: fields.has("versioning") ? "on" : "off",
      public_read: fields.has("public_read"),
      tier: choiceIn(fields, "tier", TIER_NAMES),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <ProjectField hint="API keys of this project can use the bucket." />
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
      <FormButtons label="Create bucket" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
