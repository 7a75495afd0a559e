"use client";

import { useRouter } from "next/navigation";
import { CheckboxField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { choiceIn } from "../../../../components/form/read-fields";
import { Alert } from "../../../../components/ui/alert";
import { Section } from "../../../../components/ui/card";
import { countText } from "../../../../format/count-text";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import { DeleteSection } from "../../components/delete-section";
import type { Bucket } from "../bucket";
import { TIER_NAMES, TierField } from "../tier-field";
import { CorsRules } from "./cors-rules";
import { LifecycleRules } from "./lifecycle-rules";

export function BucketSettings({ bucket }: { bucket: Bucket }) {
  if (!useHasScope("storage:write")) return <Alert>Your role can read buckets but not change them.</Alert>;
  return (
    <div className="space-y-6">
      <AccessSettings bucket={bucket} />
      <LifecycleRules bucket={bucket} />
      <CorsRules bucket={bucket} />
      <DeleteBucket bucket={bucket} />
    </div>
  );
}

function AccessSettings({ bucket: { id, versioning, public_read, tier } }: { bucket: Bucket }) {
  const update = useMutationOf("updateBucket", { meta: { inline: true, done: "Bucket saved." } });
  const submit = (fields: FormData) =>
    update.mutate({
      bucket: id,
      versioning: fields.has("versioning") ? "on" : "off",
      public_read: fields.has("public_read"),
      tier: choiceIn(fields, "tier", TIER_NAMES),
    });
  return (
    <Section title="Access, versions and storage class" description="Changes apply at once, to S3 clients too.">
      <Form key={update.data?.updated_at} sends={update} saving={update.status} onSubmit={submit} label="Save changes">
        <CheckboxField
          name="public_read"
          label="Public"
          defaultChecked={public_read}
          hint="Anyone who knows an object's address can read it, without credentials."
        />
        <CheckboxField
          name="versioning"
          label="Keep older versions"
          defaultChecked={versioning === "on"}
          hint={
            versioning === "suspended"
              ? "Older versions stay as they are; no further ones are kept."
              : "Objects that are replaced or deleted stay as older versions, whose bytes count until they are deleted."
          }
        />
        <TierField defaultValue={tier} />
      </Form>
    </Section>
  );
}

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
