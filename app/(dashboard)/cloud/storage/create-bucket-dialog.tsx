"use client";

import { createBucketInput } from "../../../generated/inputs/createBucket";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { bucketFields } from "./bucket-fields";

export const CreateBucketDialog = (state: DialogState) => (
  <CreateDialog what="a bucket" description="The name stays; the other settings can be changed later." {...state}>
    <SchemaForm
      input={createBucketInput}
      fields={{
        project: { hint: "API keys of this project can use the bucket." },
        name: {
          placeholder: "acme-reports",
          hint: "3 to 63 lowercase letters, digits, dots and hyphens. Names are unique in this installation.",
        },
        ...bucketFields(),
      }}
      submit="Create bucket"
      done="Bucket created."
      page={({ id }) => `/cloud/storage/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
