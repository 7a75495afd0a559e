"use client";

import { useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Form } from "../../../components/form/form";
import { FormButtons } from "../../../components/form/form-buttons";
import { rawTextIn, textIn } from "../../../components/form/read-fields";
import { useTRPC } from "../../../trpc/client";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { ProjectField, projectIn } from "../../components/project-field";
import { useMode } from "../../components/shell/mode";
import { CodeField } from "../components/code-field";
import { CODE_HINT, FIRST_CODE, type Runtime } from "./function";

export const CreateFunctionDialog = (state: DialogState) => (
  <CreateDialog what="a function" description="The code is loaded first; errors name the line." {...state}>
    <CreateFunctionForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

function CreateFunctionForm({ onCancel }: { onCancel: () => void }) {
  const trpc = useTRPC();
  const router = useRouter();
  const { mode } = useMode();
  const [runtime, setRuntime] = useState<Runtime>("javascript");
  const create = useMutation(
    trpc.createFunction.mutationOptions({
      meta: { inline: true, done: "Function created." },
      onSuccess: ({ id }) => router.push(`/cloud/functions/${id}`),
    }),
  );
  const submit = (fields: FormData) => {
    const image = runtime === "javascript" ? "" : textIn(fields, "image");
    create.mutate({
      name: textIn(fields, "name"),
      code: rawTextIn(fields, "code"),
      mode,
      runtime,
      ...(image && { image }),
      ...projectIn(fields),
    });
  };
  return (
    <Form error={create.error} onSubmit={submit}>
      <TextField name="name" label="Name" placeholder="total" maxLength={80} autoComplete="off" spellCheck={false} />
      <ProjectField hint="Its keys can call the function." />
      <SelectField
        name="runtime"
        label="Runtime"
        value={runtime}
        onChange={({ target }) => setRuntime(target.value as Runtime)}
      >
        <option value="javascript">JavaScript on workerd</option>
        <option value="node">Node.js in a pod</option>
        <option value="python">Python in a pod</option>
      </SelectField>
      {runtime !== "javascript" && (
        <TextField
          name="image"
          label="Image"
          optional
          placeholder={`${runtime}:latest`}
          spellCheck={false}
          hint="A container image with the runtime and /bin/sh; empty: the one of svc."
        />
      )}
      <CodeField key={runtime === "python" ? "python" : "javascript"} code={FIRST_CODE[runtime]} hint={CODE_HINT} />
      <FormButtons label="Create function" pending={create.isPending} onCancel={onCancel} />
    </Form>
  );
}
