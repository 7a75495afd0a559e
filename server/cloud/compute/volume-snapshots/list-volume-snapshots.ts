import { z } from "zod";
import { listScope } from "../../../identity/list-scope";
import { fetchPage, PageQuery, pageOf } from "../../../kernel/page";
import { examplePage } from "../../../operation/example";
import { operation } from "../../cloud-operation";
import { resourceChoice } from "../../core/resources/resource-fields";
import { findVolume } from "./find-volume";
import { toVolumeSnapshot, VolumeSnapshot } from "./volume-snapshot";
import { snapshotExample } from "./volume-snapshot.example";
import type { VolumeSnapshotCtx } from "./volume-snapshot-ctx";

/** Lists the snapshots of a shared volume, newest first, also of a deleted one. Throws `not_found`. */
export const listVolumeSnapshots = operation({
  id: "listVolumeSnapshots",
  summary: "List the snapshots of a shared volume",
  access: "gpuc:read",
  input: z.strictObject({ ...resourceChoice, ...PageQuery.shape }),
  output: pageOf(VolumeSnapshot),
  example: { input: { rid: snapshotExample.rid }, output: examplePage(snapshotExample) },
  run: async (ctx: VolumeSnapshotCtx, input) => {
    const { id: volumeId } = await findVolume(ctx, input.rid);
    return fetchPage(listScope(ctx, "volume_snapshots", { volumeId }), input, async ({ after, take }) => {
      const where = { volumeId, ...(after !== undefined && { id: { lt: after } }) };
      return (await ctx.db.volumeSnapshot.findMany({ where, orderBy: { id: "desc" }, take })).map(toVolumeSnapshot);
    });
  },
});
