"use client";

import { Dialog } from "../../../components/ui/dialog";
import { createProjectInput } from "../../../generated/inputs/createProject";
import { updateProjectInput } from "../../../generated/inputs/updateProject";
import { SchemaForm } from "../../components/schema-form";
import type { Project } from "./project";

interface ProjectDialogProps {
  /** Which one to rename; undefined keeps the dialog closed. */
  project: Project | "new" | undefined;
  onClose: () => void;
}

export const ProjectDialog = ({ project, onClose }: ProjectDialogProps) => (
  <Dialog
    open={project !== undefined}
    onOpenChange={onClose}
    title={project === "new" ? "Create project" : "Rename project"}
    description={project === "new" ? "Every API key belongs to a project." : "Its ID and its keys stay the same."}
  >
    {project === "new" && (
      <SchemaForm input={createProjectInput} fields={FIELDS} submit="Create project" {...endOf(onClose)} />
    )}
    {project && project !== "new" && (
      <SchemaForm
        input={updateProjectInput}
        fields={FIELDS}
        values={project}
        fixed={{ id: project.id }}
        submit="Save name"
        {...endOf(onClose)}
      />
    )}
  </Dialog>
);

const FIELDS = { name: { placeholder: "Nightly imports" } };
const endOf = (onClose: () => void) => ({ done: "Project saved.", onDone: onClose, onCancel: onClose });
