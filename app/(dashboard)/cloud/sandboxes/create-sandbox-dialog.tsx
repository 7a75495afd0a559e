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
          as: "identifier",
          maxLength: 512,
          placeholder: "docker.io/library/python:3.12",
          hint: `From a public registry. It needs /bin/sh and sleep.${allowsLoopback ? " In this development setup also from a registry on localhost." : ""}`,
        },
        name: { hint: "Shown in lists. Left empty, svc makes one from the ID." },
        timeout_seconds: { label: "Ends after", value: SECONDS, hint: "From its start, at most a day." },
        cpu: { label: "CPU cores", isHalf: true },
        memory_mb: { isHalf: true },
        env: { render: () => <EnvFields project={undefined} />, read: envIn },
      }}
      submit="Create sandbox"
      done="Sandbox created."
      page={({ id }) => `/cloud/sandboxes/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
