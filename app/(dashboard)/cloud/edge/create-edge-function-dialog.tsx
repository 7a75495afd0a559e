"use client";

import { createEdgeFunctionInput } from "../../../generated/inputs/createEdgeFunction";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { FIRST_CODE, versionFields } from "./edge-function";

export const CreateEdgeFunctionDialog = (state: DialogState) => (
  <CreateDialog
    what="an edge function"
    description="The code is loaded and tried first; errors name the line."
    {...state}
  >
    <SchemaForm
      input={createEdgeFunctionInput}
      fields={{
        name: { placeholder: "hello", hint: null },
        project: { hint: "Its keys can publish the edge function." },
        ...versionFields({ code: FIRST_CODE, bindings: [] }),
      }}
      submit="Create draft"
      done="Draft created."
      page={({ id }) => `/cloud/edge/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
