"use client";

import { CheckboxField } from "../../../components/form/fields";
import { createBucketInput } from "../../../generated/inputs/createBucket";
import { CreateDialog } from "../../components/create-dialog";
import type { DialogState } from "../../components/noun-list";
import { SchemaForm } from "../../components/schema-form";
import { TierField } from "./tier-field";

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
        tier: { render: () => <TierField /> },
        versioning: {
          render: () => (
            <CheckboxField
              name="versioning"
              label="Keep older versions"
              hint="Objects that are replaced or deleted can be restored, and their bytes count until they are deleted permanently."
            />
          ),
          read: (fields) => (fields.has("versioning") ? "on" : "off"),
        },
        public_read: {
          label: "Public",
          hint: "Anyone who knows an object's address can read it, without credentials.",
        },
      }}
      submit="Create bucket"
      done="Bucket created."
      page={({ id }) => `/cloud/storage/${id}`}
      onCancel={() => state.onOpenChange(false)}
    />
  </CreateDialog>
);
