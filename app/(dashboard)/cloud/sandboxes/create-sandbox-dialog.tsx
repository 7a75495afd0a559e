"use client";

import { createSandboxInput } from "../../../generated/inputs/createSandbox";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { EnvFields } from "../pods/env-fields";
import { envIn } from "../pods/read-pod";

interface CreateSandboxDialogProps extends DialogState {
  allowsLoopback: boolean;
}

const SECONDS = 900;

export const CreateSandboxDialog = ({ allowsLoopback, ...state }: CreateSandboxDialogProps) => (
  <CreateDialog
    what="a sandbox"
    description="It runs until its time is over or you delete it. Its network is HTTP and HTTPS only."
    className="max-w-2xl"
    {...state}
  >
    <SchemaForm
      input={createSandboxInput}
      fields={{
        image: {
          placeholder: "docker.io/library/python:3.12",
          hint: `From a public registry. It needs /bin/sh and sleep.${allowsLoopback ? " In this development setup also from a registry on localhost." : ""}`,
        },
        name: { hint: "For people." },
        timeout_seconds: { label: "Ends after", value: SECONDS, hint: "From its start, at most a day." },
        memory_mb: { hint: "MiB." },
        env: { render: () => <EnvFields project={undefined} />, read: envIn },
      }}
      without={["command", "keep_alive", "project"]}
      submit="Create sandbox"
      done="Sandbox created."
      page={({ id }) => `/cloud/sandboxes/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
