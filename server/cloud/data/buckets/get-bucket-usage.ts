import { z } from "zod";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { EXAMPLE_TIME } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { toBucket } from "./bucket";
import { bucketExample } from "./bucket.example";
import type { BucketCtx } from "./bucket-ctx";
import { bucketChoice } from "./bucket-fields";
import { historyPeriodOf, historyPoints } from "./bucket-history";
import { readBucketSteps } from "./bucket-hours.sql";
import { findBucket } from "./find-bucket";
import { HISTORY_DAYS_MAX } from "./measure-buckets";

const Count = z.int().min(0);

/** Returns what a bucket had over time. Throws `not_found`. */
export const getBucketUsage = operation({
  id: "getBucketUsage",
  summary: "Get the objects and bytes of a bucket over time",
  description: "Buckets are measured once an hour, and the history is kept for 90 days. The last point is current.",
  access: "storage:read",
  input: z.strictObject({
    ...bucketChoice,
    days: z.coerce
      .number()
      .int()
      .min(1)
      .max(HISTORY_DAYS_MAX)
      .default(30)
      .describe("How many days up to now; up to 7 have a point for each hour, more have one for each day (UTC)"),
  }),
  output: z.object({
    step: z.enum(["1h", "1d"]),
    points: z.array(
      z.object({
        start: z.iso.datetime().describe("The start of the step, in UTC"),
        objects: Count.describe("Keys with a current version, at the last measurement in the step"),
        versions: Count.describe("Stored versions, current ones included"),
        bytes: Count.describe("Bytes of all versions and of the parts of unfinished uploads"),
      }),
    ),
  }),
  example: {
    input: { bucket: bucketExample.name, days: 30 },
    output: { step: "1d", points: [{ start: EXAMPLE_TIME, objects: 120, versions: 150, bytes: 48_230_400 }] },
  },
  run: async (ctx: ActorCtx & Pick<BucketCtx, "sql">, { bucket: asked, days }) => {
    const row = await findBucket(ctx, { bucket: asked });
    const period = historyPeriodOf(days, ctx.clock.now());
    const stored = await readBucketSteps(ctx.sql, { bucketId: row.id, ...period });
    const { objects, versions, bytes } = toBucket(row).usage;
    return { step: period.step, points: historyPoints(stored, period, { objects, versions, bytes }) };
  },
});
