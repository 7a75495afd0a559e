"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { EnvFields } from "../pods/env-fields";
import { envIn } from "../pods/read-pod";

interface CreateSandboxDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  allowsLoopback: boolean;
}

export function CreateSandboxDialog({ open, onOpenChange, allowsLoopback }: CreateSandboxDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a sandbox in ${mode} mode`}
      description="It runs until its time is over or you delete it. Its network is HTTP and HTTPS only."
      className="max-w-2xl"
    >
      <CreateSandboxForm allowsLoopback={allowsLoopback} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

const SECONDS = 900;
const SECONDS_MAX = 86_400;
const MEMORY_MB = 512;

/** Throws a FieldError of `envIn`. */
function sandboxIn(fields: FormData) {
  const name = textIn(fields, "name");
  return {
    ...{ image: textIn(fields, "image"), env: envIn(fields), ...(name && { name }) },
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
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create sandbox
        </Button>
      </div>
    </Form>
  );
}
