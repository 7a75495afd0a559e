import { Section } from "../../../../components/ui/card";
import { updateBucketInput } from "../../../../generated/inputs/updateBucket";
import { SchemaForm } from "../../../components/schema-form";
import type { Bucket } from "../bucket";

/** Who may do what in the bucket, as JSON. */
export const PolicyForm = ({ bucket: { id, name, policy } }: { bucket: Bucket }) => (
  <Section
    title="Bucket policy"
    description="Allows or denies actions of S3 to tenants, people, API keys or everyone, under conditions. It applies at once."
  >
    <SchemaForm
      input={updateBucketInput}
      fields={{
        policy: {
          as: "code",
          label: "Policy",
          rows: 14,
          placeholder: exampleFor(name),
          hint: "JSON in the language of S3 policies, at most 20 KB. Empty: no policy.",
        },
      }}
      values={{ policy: policy === null ? null : inLines(policy) }}
      fixed={{ bucket: id }}
      submit="Save policy"
      done="Policy saved."
    />
  </Section>
);

/** Clients send it on one line, too. */
function inLines(policy: string): string {
  if (policy.includes("\n")) return policy;
  try {
    return JSON.stringify(JSON.parse(policy), null, 2);
  } catch {
    return policy;
  }
}

const exampleFor = (bucket: string): string =>
  JSON.stringify(
    {
      Version: "2012-10-17",
      Statement: [
        { Effect: "Allow", Principal: "*", Action: "s3:GetObject", Resource: `arn:aws:s3:::${bucket}/public/*` },
      ],
    },
    null,
    2,
  );
