"use client";

import { useState } from "react";
import { createFunctionInput } from "../../../generated/inputs/createFunction";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { codeField, FIRST_CODE, type Runtime } from "./function";

export const CreateFunctionDialog = (state: DialogState) => (
  <CreateDialog what="a function" description="The code is loaded first; errors name the line." {...state}>
    <CreateFunctionForm onCancel={() => state.onOpenChange(false)} />
  </CreateDialog>
);

const RUNTIMES: Readonly<Record<Runtime, string>> = {
  javascript: "JavaScript on workerd",
  node: "Node.js in a pod",
  python: "Python in a pod",
};

function CreateFunctionForm({ onCancel }: { onCancel: () => void }) {
  const [runtime, setRuntime] = useState<Runtime>("javascript");
  return (
    <SchemaForm
      input={createFunctionInput}
      fields={{
        name: { placeholder: "total", hint: null },
        project: { hint: "Its keys can call the function." },
        runtime: { choices: RUNTIMES, hint: null, onChange: (value) => setRuntime(value as Runtime) },
        ...(runtime !== "javascript" && {
          image: {
            as: "identifier",
            maxLength: 512,
            placeholder: `${runtime}:latest`,
            hint: "A container image with the runtime and /bin/sh; empty: the one of svc.",
          },
        }),
        code: codeField(FIRST_CODE[runtime]),
      }}
      submit="Create function"
      done="Function created."
      page={({ id }) => `/cloud/functions/${id}`}
      onCancel={onCancel}
    />
  );
}
