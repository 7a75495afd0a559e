"use client";

import { useRouter } from "next/navigation";
import { useState } from "react";
import type { PodCatalog } from "../../../../server/cloud/compute/pods/pod-catalog";
import { TextAreaField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { Dialog } from "../../../components/ui/dialog";
import { useMutationOf } from "../../../trpc/use-operation";
import { useProjects } from "../../account/api-keys/use-projects";
import { ProjectField } from "../../components/project-field";
import { useMode } from "../../components/shell/mode";
import { EnvFields } from "./env-fields";
import { EstimatePanel } from "./estimate-panel";
import { MoreOptions } from "./more-options";
import { podFieldOf, podIn } from "./read-pod";
import { NEW_SHAPE, shapeInput, withNearest } from "./shape";
import { ShapeFields } from "./shape-fields";
import { useEstimate } from "./use-estimate";

interface CreatePodDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  catalog: PodCatalog;
  /** Images may come from a registry on this machine. */
  allowsLoopback: boolean;
}

export function CreatePodDialog({ open, onOpenChange, ...form }: CreatePodDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a pod in ${mode} mode`}
      description="It starts as soon as there is capacity, and its network is HTTP and HTTPS only. After 30 days it is stopped."
      className="max-w-2xl"
    >
      <CreatePodForm {...form} onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

interface CreatePodFormProps extends Pick<CreatePodDialogProps, "catalog" | "allowsLoopback"> {
  onCancel: () => void;
}

function CreatePodForm({ catalog, allowsLoopback, onCancel }: CreatePodFormProps) {
  const router = useRouter();
  const { mode } = useMode();
  const { projects } = useProjects();
  const [chosen, setChosen] = useState<string>();
  const project = chosen ?? projects[0]?.id;
  const [shape, setShape] = useState(NEW_SHAPE);
  const { query, problem, problemOf } = useEstimate(shape, chosen);
  const create = useMutationOf("createPod", {
    meta: { inline: true, done: "Pod created." },
    onSuccess: ({ id }) => router.push(`/cloud/pods/${id}`),
  });
  const submit = (fields: FormData) =>
    create.mutate({ ...podIn(fields), ...shapeInput(shape), mode, ...(chosen && { project: chosen }) });
  return (
    <Form error={create.error} onSubmit={submit} fieldOf={podFieldOf}>
      <ImageFields allowsLoopback={allowsLoopback} />
      <ProjectField
        value={project}
        onChange={({ target }) => setChosen(target.value)}
        hint="API keys of this project can use the pod."
      />
      <ShapeFields catalog={catalog} shape={shape} onShape={setShape} problemOf={problemOf} />
      <EstimatePanel query={query} problem={problem} onUse={(near) => setShape(withNearest(shape, near))} />
      <ProgramFields project={project} />
      <MoreOptions shape={shape} onShape={setShape} project={project} />
      <FormButtons label="Create pod" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}

const ImageFields = ({ allowsLoopback }: Pick<CreatePodDialogProps, "allowsLoopback">) => (
  <>
    <TextField
      name="image"
      label="Image"
      placeholder="docker.io/library/python:3.12"
      maxLength={512}
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      hint={`From a public registry, such as Docker Hub, ghcr.io or quay.io. A name without a registry is one of Docker Hub.${allowsLoopback ? " In this development setup also from a registry on localhost." : ""}`}
    />
    <TextField
      name="name"
      label="Name"
      optional
      placeholder="finetune"
      maxLength={200}
      autoComplete="off"
      hint="Shown in lists. Left empty, svc makes one from the ID."
    />
  </>
);

const ProgramFields = ({ project }: { project: string | undefined }) => (
  <>
    <TextAreaField
      name="command"
      label="Command"
      optional
      rows={3}
      spellCheck={false}
      autoCapitalize="none"
      placeholder={"python\n-c\nprint('Hello')"}
      className="[&_textarea]:font-mono"
      hint="One argument per line, the program first; empty lines are left out. Without a command the program of the image runs."
    />
    <EnvFields key={project} project={project} />
  </>
);
