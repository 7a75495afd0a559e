"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { useTRPC } from "../../../trpc/client";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { ProjectField, projectIn } from "../../components/project-field";
import { useMode } from "../../components/shell/mode";
import { CodeField } from "../components/code-field";
import { BindingsField } from "./bindings-field";
import { bindingsOf, CODE_HINT, FIRST_CODE } from "./edge-function";

export const CreateEdgeFunctionDialog = (state: DialogState) => (
  <CreateDialog
    what="an edge function"
    description="The code is loaded and tried first; errors name the line."
    {...state}
  >
    <CreateEdgeFunctionForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

function CreateEdgeFunctionForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const create = useMutation(
    trpc.createEdgeFunction.mutationOptions({
      meta: { inline: true, done: "Draft created." },
      onSuccess: ({ id }) => router.push(`/cloud/edge/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    create.mutate({
      name: textIn(fields, "name"),
      code: rawTextIn(fields, "code"),
      mode,
      bindings: bindingsOf(textIn(fields, "bindings")),
      ...projectIn(fields),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <TextField name="name" label="Name" placeholder="hello" maxLength={80} autoComplete="off" spellCheck={false} />
      <ProjectField hint="Its keys can publish the edge function." />
      <CodeField code={FIRST_CODE} hint={CODE_HINT} />
      <BindingsField bindings={[]} />
      <FormButtons label="Create draft" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
