import type { PodKind, PodStatus } from "../../../engines/postgres/generated/client";
import type { ActorCtx } from "../../../identity/identity-ctx";
import { pageOfOwner } from "../../../identity/projects/owner-scope";
import type { Page } from "../../../kernel/page";
import type { Mode } from "../../../operation/actor";
import { LAST_RUN, type StoredPod } from "../pod-records/stored-pod";

interface KindQuery {
  cursor?: string | undefined;
  limit: number;
  kind: PodKind;
  /** The name of the list, for its cursors. */
  list: string;
  /** What the client asked for, and the statuses of pods that this means. */
  status?: string | undefined;
  statuses?: PodStatus[] | undefined;
  mode?: Mode | undefined;
  project?: string | undefined;
}

/** A page of the pods of a kind in one mode, newest first: those of a key's own project, or a person's of all projects. */
export async function pageOfKind<T extends { id: string }>(
  ctx: ActorCtx,
  { kind, list, status, statuses, ...input }: KindQuery,
  toRecords: (pods: StoredPod[]) => Promise<T[]>,
): Promise<Page<T>> {
  return pageOfOwner(ctx, { list, input, filters: { status } }, async ({ where, ...page }) => {
    const filters = { kind, deletedAt: null, ...(statuses && { status: { in: statuses } }) };
    return toRecords(await ctx.db.pod.findMany({ where: { ...where, ...filters }, include: LAST_RUN, ...page }));
  });
}
