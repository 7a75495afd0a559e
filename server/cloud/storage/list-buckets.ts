import { z } from "zod";
import { listScope } from "../../identity/list-scope";
import { findProject } from "../../identity/projects/find-project";
import { fetchPage, PageQuery, pageOf } from "../../kernel/page";
import { modeOf } from "../../operation/actor";
import { examplePage } from "../../operation/example";
import type { CloudCtx } from "../cloud-ctx";
import { operation } from "../cloud-operation";
import { Bucket, toBucket } from "./bucket";
import { bucketExample } from "./bucket.example";
import { placeFields } from "./bucket-fields";

export const ListBuckets = z.strictObject({
  ...PageQuery.shape,
  mode: placeFields.mode,
  project: placeFields.project.describe("Only buckets of this project, by its id or name"),
});

/** Lists the buckets of one mode, newest first: those of a key's own project, or a person's of all projects. */
export const listBuckets = operation({
  id: "listBuckets",
  summary: "List buckets",
  access: "storage:read",
  cost: "cheap",
  input: ListBuckets,
  output: pageOf(Bucket),
  example: { input: { limit: 50 }, output: examplePage(bucketExample) },
  run: async (ctx: CloudCtx, input) => {
    const { db, actor } = ctx;
    const mode = modeOf(actor, input.mode);
    const isOfOne = actor.kind === "key" || input.project !== undefined;
    const projectId = isOfOne ? (await findProject(db, actor, input.project)).id : undefined;
    return fetchPage(listScope(ctx, "buckets", { mode, projectId }), input, async ({ after, take }) => {
      const rows = await db.bucket.findMany({
        where: {
          ...{ tenantId: actor.tenantId, mode },
          ...(projectId !== undefined && { projectId }),
          ...(after !== undefined && { id: { lt: after } }),
        },
        orderBy: { id: "desc" },
        take,
      });
      return rows.map(toBucket);
    });
  },
});
