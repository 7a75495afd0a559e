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

export const CreateWorkspaceDialog = (state: DialogState) => (
  <CreateDialog
    what="a workspace"
    description="Its files at /workspace stay until you delete it. Its network is HTTP and HTTPS only."
    className="max-w-2xl"
    {...state}
  >
    <CreateWorkspaceForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

const MEMORY_MB = 2048;
const DISK_GB = 10;
const IDLE_MINUTES = 60;
const IDLE_MINUTES_MAX = 7 * 24 * 60;

function workspaceIn(fields: FormData) {
  const image = textIn(fields, "image");
  return {
    name: textIn(fields, "name"),
    ...(image && { image }),
    memory_mb: Number(textIn(fields, "memory_mb")),
    disk_gb: Number(textIn(fields, "disk_gb")),
    idle_timeout_seconds: Number(textIn(fields, "idle_minutes")) * 60,
  };
}

function CreateWorkspaceForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createWorkspace.mutationOptions({
      meta: { inline: true, done: "Workspace created." },
      onSuccess: ({ id }) => router.push(`/cloud/workspaces/${id}`),
    }),
  );
  return (
    <Form
      error={create.error}
      fieldOf={(param) => (param === "idle_timeout_seconds" ? "idle_minutes" : param)}
      onSubmit={(fields) => create.mutate({ ...workspaceIn(fields), mode })}
    >
      <TextField name="name" label="Name" maxLength={200} autoComplete="off" />
      <TextField
        name="image"
        label="Image"
        optional
        placeholder="codercom/code-server:latest"
        maxLength={512}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        hint="Where its programs come from. If it has code-server, that is the editor."
      />
      <TextField name="memory_mb" label="Memory" type="number" min={64} defaultValue={MEMORY_MB} hint="MiB." />
      <TextField name="disk_gb" label="Disk" type="number" min={1} max={1024} defaultValue={DISK_GB} hint="GiB." />
      <TextField
        name="idle_minutes"
        label="Stops after"
        type="number"
        min={0}
        max={IDLE_MINUTES_MAX}
        defaultValue={IDLE_MINUTES}
        hint="Minutes without use; 0: never."
      />
      <FormButtons label="Create workspace" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
