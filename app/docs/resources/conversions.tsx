import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";
import { CONVERSION } from "./examples";

/** Conversions of models, of the service tensorizer. */
export const Conversions = () => (
  <DocsSection id="conversions" title="Conversions of models">
    <p>
      A resource of the service <Code>tensorizer</Code> converts a model in the safetensors format of Hugging Face into
      shards in a <DocsLink href="/docs/storage">bucket</DocsLink> of the project, in the background and in constant
      memory. The caller also needs <Code>storage:read</Code> and <Code>storage:write</Code>.
    </p>
    <Definitions label="Fields of a conversion" rows={FIELDS} />
    <DocsCode label="Body" code={CONVERSION} language="json" />
    <p>
      It is <Code>provisioning</Code> while it runs, and <Code>observed.progress</Code> counts the bytes and the shards.
      When it is <Code>ready</Code>, <Code>observed.files</Code> are the shards and an index, as Hugging Face writes
      them, each with its SHA-256. A process of svc that ends is followed by another one, which continues after the last
      complete shard; the source is read again up to there to verify its hash. A wrong size, hash or header is{" "}
      <Code>failed</Code>, with the reason; send the same spec by <Code>PATCH</Code> to try again. Deleting the resource
      ends a conversion that runs, and leaves what it has written.
    </p>
    <p>
      Floats of 64, 32 and 16 bits become <Code>f32</Code>, <Code>f16</Code> or <Code>bf16</Code>, rounded to the
      nearest value, ties to even; values beyond the range become infinite. Other tensors are copied as they are.
    </p>
  </DocsSection>
);

const FIELDS = [
  ["source_model", "s3://bucket/key of a bucket of the project, or https://host/path of a public server"],
  ["target_uri", "s3://bucket/prefix/ of a bucket of the project"],
  ["dtype", "f32, f16 or bf16; without it nothing is converted"],
  ["shards", "How many files of about equal size: 1 to 256, default 1. A tensor is never divided"],
  ["bytes_total, sha256", "The size and the hash of the source; another one fails, and removes the shards"],
] as const;
