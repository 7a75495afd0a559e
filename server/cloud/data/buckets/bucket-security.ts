import { z } from "zod";
import { POLICY_BYTES_MAX } from "../../../guard/bucket-policy/read-policy";

export const PublicAccessBlock = z.strictObject({
  block_public_acls: z
    .boolean()
    .describe("The bucket cannot be made `public_read`, and access lists cannot grant anything to groups"),
  ignore_public_acls: z.boolean().describe("`public_read` and what access lists grant to groups have no effect"),
  block_public_policy: z.boolean().describe("A policy that lets everyone in is rejected"),
  restrict_public_buckets: z
    .boolean()
    .describe("A policy that lets everyone in lets only the own tenant in, and access lists no groups"),
});
export type PublicAccessBlock = z.output<typeof PublicAccessBlock>;

/** The stored settings that block public access; undefined: none was ever set. */
export const publicAccessBlockIn = (stored: unknown): PublicAccessBlock | undefined =>
  (stored ?? undefined) as PublicAccessBlock | undefined;

export const BucketEncryption = z
  .enum(["none", "AES256"])
  .describe("How new objects are encrypted that name no encryption; `AES256`: with keys of this installation");

/** What decides who may use a bucket and how it stores objects, as a client sends it. */
export const securityFields = {
  policy: z
    .string()
    .max(POLICY_BYTES_MAX)
    .nullable()
    .describe("The JSON of a bucket policy in the language of S3; null removes it"),
  public_access_block: PublicAccessBlock.nullable().describe("What blocks public access; null removes it"),
  encryption: BucketEncryption,
};
