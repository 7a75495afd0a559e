import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { sealed } from "../../core/specs/sealed-fields";
import { TARGET_DTYPES, type TargetDtype } from "../../data/models/dtypes";
import { parseSourceModel, parseTargetUri } from "../../data/models/parse-model-uri";

const SHARDS_MAX = 256;
const DTYPES = Object.keys(TARGET_DTYPES) as [TargetDtype, ...TargetDtype[]];

/** Text that `parse` accepts, which throws ServiceError for other text. */
const checked = (parse: (text: string) => unknown) =>
  z.string().superRefine((text, issue) => {
    try {
      parse(text);
    } catch (failure) {
      if (!(failure instanceof ServiceError)) throw failure;
      // Without the name of the field, which comes before.
      issue.addIssue({ code: "custom", message: failure.message.replace(/^[a-z_]+: /, "") });
    }
  });

export const ConversionSpec = z.strictObject({
  source_model: sealed(
    checked(parseSourceModel).describe(
      "A safetensors file: `s3://bucket/key` of a bucket of the project, or `https://host/path`",
    ),
    "query",
  ),
  target_uri: checked(parseTargetUri).describe("`s3://bucket/prefix/`: a folder in a bucket of the project"),
  dtype: z
    .enum(DTYPES)
    .optional()
    .describe("What tensors of floats become; absent: they stay as they are. Integers always do"),
  shards: z.int().min(1).max(SHARDS_MAX).default(1).describe(`Files, of about equal size: 1 to ${SHARDS_MAX}`),
  bytes_total: z.int().min(1).optional().describe("The size of the source; another size fails"),
  sha256: z
    .string()
    .regex(/^[0-9a-fA-F]{64}$/, "expected 64 hexadecimal digits")
    .optional()
    .describe("Of the source; another hash fails, and removes the shards"),
});
export type ConversionSpec = z.output<typeof ConversionSpec>;
