"use client";

import { createWorkspaceInput } from "../../../generated/inputs/createWorkspace";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";

export const CreateWorkspaceDialog = (state: DialogState) => (
  <CreateDialog
    what="a workspace"
    description="Its files at /workspace stay until you delete it. Its network is HTTP and HTTPS only."
    className="max-w-2xl"
    {...state}
  >
    <SchemaForm
      input={createWorkspaceInput}
      fields={{
        name: { hint: null },
        image: {
          as: "identifier",
          optional: true,
          value: "",
          maxLength: 512,
          placeholder: "codercom/code-server:latest",
          hint: "Where its programs come from. If it has code-server, that is the editor.",
        },
        cpu: { label: "CPU cores", isHalf: true },
        memory_mb: { isHalf: true },
        disk_gb: { isHalf: true },
        idle_timeout_seconds: { label: "Stops after", hint: "Time without use; 0: never.", isHalf: true },
      }}
      submit="Create workspace"
      done="Workspace created."
      page={({ id }) => `/cloud/workspaces/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
