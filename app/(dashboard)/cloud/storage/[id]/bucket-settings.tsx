"use client";

import { useRouter } from "next/navigation";
import { Alert } from "../../../../components/ui/alert";
import { Section } from "../../../../components/ui/card";
import { countText } from "../../../../format/count-text";
import { updateBucketInput } from "../../../../generated/inputs/updateBucket";
import { useMutationOf } from "../../../../trpc/use-operation";
import { SchemaForm } from "../../../components/schema-form";
import { useHasScope } from "../../../components/shell/access";
import { DeleteSection } from "../../components/delete-section";
import type { Bucket } from "../bucket";
import { bucketFields } from "../bucket-fields";
import { CorsRules } from "./cors-rules";
import { LifecycleRules } from "./lifecycle-rules";
import { lockText } from "./lock-facts";
import { PolicyForm } from "./policy-form";

export function BucketSettings({ bucket }: { bucket: Bucket }) {
  if (!useHasScope("storage:write")) return <Alert>Your role can read buckets but not change them.</Alert>;
  return (
    <div className="space-y-6">
      <AccessSettings bucket={bucket} />
      <PolicyForm bucket={bucket} />
      <Section title="Object lock">
        <p className="text-muted-foreground text-sm">{lockText(bucket)}</p>
      </Section>
      <LifecycleRules bucket={bucket} />
      <CorsRules bucket={bucket} />
      <DeleteBucket bucket={bucket} />
    </div>
  );
}

const AccessSettings = ({ bucket }: { bucket: Bucket }) => (
  <Section
    title="Access, versions, storage class and encryption"
    description="Changes apply at once, to S3 clients too."
  >
    <SchemaForm
      input={updateBucketInput}
      fields={{ ...bucketFields(bucket), encryption: ENCRYPTION }}
      values={bucket}
      fixed={{ bucket: bucket.id }}
      submit="Save changes"
      done="Bucket saved."
    />
  </Section>
);

const ENCRYPTION = {
  label: "Encryption of new objects",
  choices: { none: "Only where a request asks for it", AES256: "Always, with keys of svc (AES256)" },
  hint: "What is stored already stays as it is. Requests can ask for AES256 or bring a key of their own.",
};

function DeleteBucket({ bucket: { id, name, usage } }: { bucket: Bucket }) {
  const isEmpty = usage.versions === 0;
  const router = useRouter();
  const deletion = useMutationOf("deleteBucket", {
    meta: isEmpty
      ? { inline: true, done: "Bucket deleted.", leaves: true }
      : { inline: true, done: "The bucket is being deleted." },
    // A bucket with objects is deleted in the background, and this page shows the progress.
    onSuccess: (left) => {
      if (!left) router.push("/cloud/storage");
    },
  });
  return (
    <DeleteSection
      noun="bucket"
      name={name}
      description="Deletes the bucket with everything in it. Its name becomes free."
      consequence={
        isEmpty
          ? "It is empty. Clients that use the bucket fail from now on."
          : `Its ${contentOf(usage)} cannot be restored, and clients that use the bucket fail from now on.`
      }
      mutation={deletion}
      onConfirm={() => deletion.mutateAsync({ bucket: id, force: true })}
    />
  );
}

const contentOf = ({ objects, versions }: Bucket["usage"]): string =>
  versions === objects ? countText(objects, "object") : countText(versions, "object version");
