"use client";

import { useMutation } from "@tanstack/react-query";
import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { textIn } from "../../../components/form/read-fields";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
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
    {project && <ProjectForm project={project === "new" ? undefined : project} onDone={onClose} />}
  </Dialog>
);

function ProjectForm({ project, onDone }: { project: Project | undefined; onDone: () => void }) {
  const trpc = useTRPC();
  const options = { onSuccess: onDone, meta: { inline: true, done: "Project saved." } };
  const create = useMutation(trpc.createProject.mutationOptions(options));
  const update = useMutation(trpc.updateProject.mutationOptions(options));
  const submit = (fields: FormData) => {
    const name = textIn(fields, "name");
    return project ? update.mutate({ id: project.id, name }) : create.mutate({ name });
  };
  return (
    <Form error={create.error ?? update.error} onSubmit={submit}>
      <TextField
        name="name"
        label="Name"
        defaultValue={project?.name}
        placeholder="Nightly imports"
        maxLength={100}
        autoComplete="off"
      />
      <FormButtons
        label={project ? "Save name" : "Create project"}
        pending={create.isPending || update.isPending}
        onCancel={onDone}
      />
    </Form>
  );
}
