import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { listScope } from "../../../identity/list-scope";
import { openCursor, sealCursor } from "../../../kernel/cursor";
import { PageQuery, pageOf } from "../../../kernel/page";
import { operation } from "../../cloud-operation";
import type { StoredBucket } from "./bucket";
import { bucketExample } from "./bucket.example";
import { assertNotDenied } from "./bucket-access";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { KeyPrefix } from "./bucket-rules";
import { findDefaultBucket } from "./default-bucket";
import { findBucket } from "./find-bucket";
import { objectExample } from "./object.example";
import { StoredObject, toStoredObject } from "./object-fields";

export const ListObjects = z.strictObject({
  ...bucketChoice,
  ...PageQuery.shape,
  prefix: KeyPrefix.default("").describe("Only keys that begin with it"),
  delimiter: KeyPrefix.max(100)
    .default("")
    .describe("Keys that have it after the prefix are grouped in `common_prefixes`; `/` lists one folder"),
});

const ObjectPage = pageOf(StoredObject).extend({ common_prefixes: z.array(z.string()) });
const examplePage = { data: [objectExample], common_prefixes: ["invoices/2026/drafts/"], next_cursor: null };

/** Lists objects in the order of their keys' UTF-8 bytes. Throws `not_found`. */
export const listObjects = operation({
  id: "listObjects",
  summary: "List objects by prefix",
  description:
    "Objects are in the order of their keys. With `delimiter=/` the list shows one folder: its objects in `data`, and the folders in it in `common_prefixes`; both together are at most `limit`.",
  access: "storage:read",
  input: ListObjects,
  output: ObjectPage,
  example: {
    input: { bucket: bucketExample.name, prefix: "invoices/2026/", delimiter: "/" },
    output: examplePage,
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, { bucket, ...page }) =>
    readPage(ctx, await findBucket(ctx, { bucket }), page),
});

/** Lists objects of the default bucket, which has none before it is created. For tools, which name no bucket. */
export const listDefaultObjects = operation({
  id: "listDefaultObjects",
  summary: "List objects in the default bucket by prefix",
  access: "storage:read",
  input: ListObjects.omit({ bucket: true }),
  output: ObjectPage,
  example: { input: { prefix: "invoices/2026/" }, output: { ...examplePage, common_prefixes: [] } },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "objects">, page) => {
    const bucket = await findDefaultBucket(ctx, {});
    return bucket ? readPage(ctx, bucket, page) : { data: [], common_prefixes: [], next_cursor: null };
  },
});

type AskedPage = Omit<z.output<typeof ListObjects>, "bucket">;

async function readPage(
  ctx: ActorCtx & Pick<BucketCtx, "objects">,
  bucket: StoredBucket,
  { prefix, delimiter, cursor, limit }: AskedPage,
): Promise<z.input<typeof ObjectPage>> {
  assertNotDenied(ctx, bucket, { action: "s3:ListBucket", keys: [""] });
  const scope = listScope(ctx, "objects", { bucket: bucket.id, prefix, delimiter });
  const after = cursor === undefined ? undefined : openCursor(scope, cursor);
  const page = await ctx.objects.list(bucket, {
    ...(prefix !== "" && { prefix }),
    ...(delimiter !== "" && { delimiter }),
    ...(after !== undefined && { after }),
    limit,
  });
  return {
    data: page.objects.map(toStoredObject),
    common_prefixes: [...page.prefixes],
    next_cursor: page.next === undefined ? null : sealCursor(scope, page.next),
  };
}
