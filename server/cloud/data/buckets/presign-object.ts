import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerFields } from "../../../identity/owner-fields";
import { ServiceError } from "../../../kernel/errors";
import { assertScope } from "../../../operation/authorize";
import { operation } from "../../cloud-operation";
import { isBeingDeleted } from "./bucket";
import { bucketExample } from "./bucket.example";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { heldByActor } from "./credential-holder";
import { bucketOrDefault } from "./default-bucket";
import { objectExample } from "./object.example";
import { ObjectKey, versionId } from "./object-fields";
import { percentEncoded, presignUrl } from "./presign";
import { S3_PATH, S3_REGION } from "./s3-endpoint";

const EXPIRES_SECONDS_MAX = 604_800;
const PUT_BYTES_MAX = 5 * 1024 ** 3;
const Length = z.int().min(0).max(PUT_BYTES_MAX);
const HeaderText = z.string().regex(/^[\x20-\x7e]{1,255}$/, "expected 1 to 255 printable ASCII characters");

export const PresignObject = z.strictObject({
  bucket: bucketChoice.bucket
    .optional()
    .describe("The id or name of the bucket; default: the project's default bucket, which the first such call creates"),
  key: ObjectKey,
  operation: z.enum(["put_object", "get_object"]).describe("`put_object` also requires the scope `storage:write`"),
  expires_in: z
    .int()
    .min(1)
    .max(EXPIRES_SECONDS_MAX)
    .default(3600)
    .describe("How long the URL can be used, in seconds: up to 7 days"),
  content_type: HeaderText.optional().describe("For `put_object`: the Content-Type that the request must have"),
  content_length: Length.optional().describe("For `put_object`: exactly this many bytes, at most 5 GiB"),
  content_length_min: Length.optional().describe("For `put_object`: at least this many bytes"),
  content_length_max: Length.optional().describe("For `put_object`: at most this many bytes"),
  version_id: versionId.describe("For `get_object`: a version of the object; default: the latest"),
  response_content_disposition: HeaderText.optional().describe(
    'For `get_object`: the Content-Disposition of the response, such as `attachment; filename="invoice.pdf"`',
  ),
  ...ownerFields,
});
type PresignObject = z.output<typeof PresignObject>;

/**
 * Returns a URL with which anyone can store or read one object until it expires. Throws `invalid_request` with `param`
 * for fields that do not belong together, `not_found` for the bucket, and `conflict` for `put_object` into a bucket that
 * is being deleted.
 */
export const presignObject = operation({
  id: "presignObject",
  summary: "Create a URL to upload or download an object without credentials",
  description:
    "Send `method` to `url` with exactly the `headers`. The URL has the rights of its creator at the time of use: it also ends when the API key is revoked, rotated or expires, or when the person leaves the tenant, loses the right or changes the password. A URL for an object that does not exist is valid, and responds 404.",
  access: "storage:read",
  input: PresignObject,
  output: z.object({
    url: z.string(),
    method: z.enum(["GET", "PUT"]),
    headers: z.record(z.string(), z.string()).describe("Headers that the request must have"),
    expires_at: z.iso.datetime().describe("When the URL ends, at the latest with the API key that created it"),
    bucket: z.string().describe("The name of the bucket"),
  }),
  example: {
    input: {
      bucket: bucketExample.name,
      key: objectExample.key,
      operation: "put_object",
      expires_in: 600,
      content_type: "application/pdf",
      content_length_max: 10_485_760,
    },
    output: {
      url: "https://svc.example/v1/s3/acme-uploads/invoices/2026/0042.pdf?X-Amz-Algorithm=AWS4-HMAC-SHA256&…",
      method: "PUT",
      headers: { "content-type": "application/pdf" },
      expires_at: "2026-11-20T09:10:00.000Z",
      bucket: bucketExample.name,
    },
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "publicUrl" | "s3Credentials">, input) => {
    const isPut = input.operation === "put_object";
    if (isPut) assertScope(ctx.actor, "storage:write");
    refuseFaults(input);
    const bucket = await bucketOrDefault(ctx, input);
    if (isPut && bucket.deletingSince) throw isBeingDeleted(bucket.name);
    const { holder, endsAt } = await heldByActor(ctx, bucket);
    const at = new Date(Math.floor(ctx.clock.now().getTime() / 1000) * 1000);
    const [method, headers] = [isPut ? ("PUT" as const) : ("GET" as const), headersOf(input)];
    const url = presignUrl({
      method,
      headers,
      query: queryOf(input),
      at,
      region: S3_REGION,
      expiresSeconds: input.expires_in,
      url: `${ctx.publicUrl}${S3_PATH}/${bucket.name}/${input.key.split("/").map(percentEncoded).join("/")}`,
      credential: ctx.s3Credentials.create(holder),
    });
    const expiresAtMs = Math.min(at.getTime() + input.expires_in * 1000, endsAt?.getTime() ?? Number.POSITIVE_INFINITY);
    return { url, method, headers, expires_at: new Date(expiresAtMs).toISOString(), bucket: bucket.name };
  },
});

const FOR_PUT = ["content_type", "content_length", "content_length_min", "content_length_max"] as const;
const FOR_GET = ["version_id", "response_content_disposition"] as const;

function refuseFaults(input: PresignObject): void {
  const misplaced = (input.operation === "put_object" ? FOR_GET : FOR_PUT).find((field) => input[field] !== undefined);
  if (misplaced !== undefined) throw invalid(misplaced, `does not apply to ${input.operation}; omit it`);
  const { content_length: exact, content_length_min: min, content_length_max: max } = input;
  if (exact !== undefined && (min !== undefined || max !== undefined)) {
    throw invalid(
      "content_length",
      "the request has content_length_min or content_length_max too; send one or the other",
    );
  }
  if (min !== undefined && max !== undefined && min > max) {
    throw invalid("content_length_max", "expected at least content_length_min");
  }
  // Clients resolve such parts of a URL before they send it, so its signature would be wrong.
  if (input.key.split("/").some((part) => part === "." || part === "..")) {
    throw invalid("key", 'a URL cannot contain the parts "." and ".."; use an S3 client for this key');
  }
}

const invalid = (param: string, text: string): ServiceError =>
  new ServiceError("invalid_request", `${param}: ${text}.`, { param });

const headersOf = ({ content_type: type, content_length: length }: PresignObject): Record<string, string> => ({
  ...(type !== undefined && { "content-type": type }),
  ...(length !== undefined && { "content-length": String(length) }),
});

function queryOf(input: PresignObject): Record<string, string> {
  const { content_length_min: min, content_length_max: max, version_id, response_content_disposition } = input;
  const isBounded = min !== undefined || max !== undefined;
  return {
    "x-id": input.operation === "put_object" ? "PutObject" : "GetObject",
    ...(isBounded && { "x-svc-content-length-range": `${min ?? 0},${max ?? PUT_BYTES_MAX}` }),
    ...(version_id !== undefined && { versionId: version_id }),
    ...(response_content_disposition !== undefined && { "response-content-disposition": response_content_disposition }),
  };
}
