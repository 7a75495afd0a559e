"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { textIn } from "../../../components/form/read-fields";
import { useTRPC } from "../../../trpc/client";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { useMode } from "../../components/shell/mode";
import { EnvFields } from "../pods/env-fields";
import { envIn } from "../pods/read-pod";

interface CreateSandboxDialogProps extends DialogState {
  allowsLoopback: boolean;
}

export const CreateSandboxDialog = ({ allowsLoopback, ...state }: CreateSandboxDialogProps) => (
  <CreateDialog
    what="a sandbox"
    description="It runs until its time is over or you delete it. Its network is HTTP and HTTPS only."
    className="max-w-2xl"
    {...state}
  >
    <CreateSandboxForm allowsLoopback={allowsLoopback} onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

const SECONDS = 900;
const SECONDS_MAX = 86_400;
const MEMORY_MB = 512;

/** Throws a FieldError of `envIn`. */
function sandboxIn(fields: FormData) {
  const name = textIn(fields, "name");
  return {
    image: textIn(fields, "image"),
    env: envIn(fields),
    ...(name && { name }),
    timeout_seconds: Number(textIn(fields, "timeout_seconds")),
    memory_mb: Number(textIn(fields, "memory_mb")),
  };
}

interface CreateSandboxFormProps extends Pick<CreateSandboxDialogProps, "allowsLoopback"> {
  onCancel: () => void;
}

function CreateSandboxForm({ allowsLoopback, onCancel }: CreateSandboxFormProps) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createSandbox.mutationOptions({
      meta: { inline: true, done: "Sandbox created." },
      onSuccess: ({ id }) => router.push(`/cloud/sandboxes/${id}`),
    }),
  );
  const loopback = allowsLoopback ? " In this development setup also from a registry on localhost." : "";
  return (
    <Form error={create.error} onSubmit={(fields) => create.mutate({ ...sandboxIn(fields), mode })}>
      <TextField
        name="image"
        label="Image"
        placeholder="docker.io/library/python:3.12"
        maxLength={512}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint={`From a public registry. It needs /bin/sh and sleep.${loopback}`}
      />
      <TextField name="name" label="Name" optional maxLength={200} autoComplete="off" hint="For people." />
      <TextField
        name="timeout_seconds"
        label="Ends after"
        type="number"
        min={1}
        max={SECONDS_MAX}
        defaultValue={SECONDS}
        hint="Seconds from its start, at most a day."
      />
      <TextField name="memory_mb" label="Memory" type="number" min={64} defaultValue={MEMORY_MB} hint="MiB." />
      <EnvFields project={undefined} />
      <FormButtons label="Create sandbox" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
