"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { useMode } from "../../components/shell/mode";
import { CodeField } from "../components/code-field";
import { CODE_HINT, FIRST_CODE, type Runtime } from "./function";

interface CreateFunctionDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateFunctionDialog({ open, onOpenChange }: CreateFunctionDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create a function in ${mode} mode`}
      description="The code is loaded first; errors name the line."
    >
      <CreateFunctionForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateFunctionForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const { projects } = useProjects();
  const [runtime, setRuntime] = useState<Runtime>("javascript");
  const create = useMutation(
    trpc.createFunction.mutationOptions({
      meta: { inline: true, done: "Function created." },
      onSuccess: ({ id }) => router.push(`/cloud/functions/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const [project, image] = [textIn(fields, "project"), runtime === "javascript" ? "" : textIn(fields, "image")];
    create.mutate({
      ...{ name: textIn(fields, "name"), code: rawTextIn(fields, "code"), mode, runtime },
      ...(image && { image }),
      ...(project && { project }),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <TextField name="name" label="Name" placeholder="total" maxLength={80} autoComplete="off" spellCheck={false} />
      <SelectField name="project" label="Project" hint="Its keys can call the function.">
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <SelectField
        {...{ name: "runtime", label: "Runtime", value: runtime }}
        onChange={({ target }) => setRuntime(target.value as Runtime)}
      >
        <option value="javascript">JavaScript on workerd</option>
        <option value="node">Node.js in a pod</option>
        <option value="python">Python in a pod</option>
      </SelectField>
      {runtime !== "javascript" && (
        <TextField
          {...{ name: "image", label: "Image", optional: true, placeholder: `${runtime}:latest`, spellCheck: false }}
          hint="A container image with the runtime and /bin/sh; empty: the one of svc."
        />
      )}
      <CodeField key={runtime === "python" ? "python" : "javascript"} code={FIRST_CODE[runtime]} hint={CODE_HINT} />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create function
        </Button>
      </div>
    </Form>
  );
}
