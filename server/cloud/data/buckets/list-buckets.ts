import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { ownerPage } from "../../../identity/owner-fields";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import { pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { Bucket, toBucket } from "./bucket";
import { bucketExample } from "./bucket.example";

/** Lists the buckets of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listBuckets = operation({
  id: "listBuckets",
  summary: "List buckets",
  access: "storage:read",
  input: z.strictObject(ownerPage("buckets")),
  output: pageOf(Bucket),
  example: { input: { limit: 50 }, output: examplePage(bucketExample) },
  run: (ctx: ActorCtx, input) =>
    pageOfOwner(ctx, { list: "buckets", input }, async (page) => {
      const rows = await ctx.db.bucket.findMany(page);
      return rows.map(toBucket);
    }),
});
