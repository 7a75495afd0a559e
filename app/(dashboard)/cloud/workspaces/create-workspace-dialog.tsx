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
          label: "Image (optional)",
          value: "",
          placeholder: "codercom/code-server:latest",
          hint: "Where its programs come from. If it has code-server, that is the editor.",
        },
        memory_mb: { hint: "MiB." },
        disk_gb: { hint: "GiB." },
        idle_timeout_seconds: { label: "Stops after", hint: "Time without use; 0: never." },
      }}
      without={["project"]}
      submit="Create workspace"
      done="Workspace created."
      page={({ id }) => `/cloud/workspaces/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
