"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { Button } from "../../../components/ui/button";
import { Dialog } from "../../../components/ui/dialog";
import { useTRPC } from "../../../trpc/client";
import { useProjects } from "../../account/api-keys/use-projects";
import { useMode } from "../../components/shell/mode";
import { CodeField } from "../components/code-field";
import { BindingsField } from "./bindings-field";
import { bindingsOf, CODE_HINT, FIRST_CODE } from "./edge-function";

interface CreateEdgeFunctionDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export function CreateEdgeFunctionDialog({ open, onOpenChange }: CreateEdgeFunctionDialogProps) {
  const { mode } = useMode();
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={`Create an edge function in ${mode} mode`}
      description="The code is loaded and tried first; errors name the line."
    >
      <CreateEdgeFunctionForm onCancel={() => onOpenChange(false)} />
    </Dialog>
  );
}

function CreateEdgeFunctionForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const { projects } = useProjects();
  const create = useMutation(
    trpc.createEdgeFunction.mutationOptions({
      meta: { inline: true, done: "Draft created." },
      onSuccess: ({ id }) => router.push(`/cloud/edge/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const project = textIn(fields, "project");
    create.mutate({
      ...{ name: textIn(fields, "name"), code: rawTextIn(fields, "code"), mode },
      bindings: bindingsOf(textIn(fields, "bindings")),
      ...(project && { project }),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <TextField name="name" label="Name" placeholder="hello" maxLength={80} autoComplete="off" spellCheck={false} />
      <SelectField name="project" label="Project" hint="Its keys can publish the edge function.">
        {projects.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </SelectField>
      <CodeField code={FIRST_CODE} hint={CODE_HINT} />
      <BindingsField bindings={[]} />
      <div className="flex justify-end gap-2">
        <Button variant="outline" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" pending={create.isPending}>
          Create draft
        </Button>
      </div>
    </Form>
  );
}
