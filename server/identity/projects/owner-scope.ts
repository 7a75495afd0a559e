import type { Prisma } from "../../engines/postgres/generated/client";
import { fetchPage, type Page } from "../../kernel/page";
import { type Actor, type Mode, modeOf } from "../../operation/actor";
import type { ActorCtx } from "../identity-ctx";
import { listScope } from "../list-scope";
import { findProject } from "./find-project";

interface OwnerFilter {
  mode?: Mode | undefined;
  /** An id or a name. */
  project?: string | undefined;
}

export interface OwnerScope {
  mode: Mode;
  /** undefined: all projects of the tenant. */
  projectId: string | undefined;
}

/** What a list is about: a key's own mode and project, or a person's mode and the project they name. Throws `not_found`. */
export async function ownerScope(
  { db, actor }: { db: Prisma.TransactionClient; actor: Actor },
  { mode, project }: OwnerFilter,
): Promise<OwnerScope> {
  const isOfOne = actor.kind === "key" || project !== undefined;
  const projectId = isOfOne ? (await findProject(db, actor, project)).id : undefined;
  return { mode: modeOf(actor, mode), projectId };
}

interface OwnedList {
  /** Its name, for cursors. */
  list: string;
  input: OwnerFilter & { cursor?: string | undefined; limit: number };
  /** What else the client filters by, in a fixed order. */
  filters?: Record<string, string | undefined>;
}

/** What `findMany` needs for one page; a list adds its own conditions to `where`. */
interface PageOfRows {
  where: { tenantId: string; mode: Mode; projectId?: string; id?: { lt: string } };
  orderBy: { id: "desc" };
  take: number;
}

/** One page of the rows of a place, newest first. Throws `not_found` for a project. */
export async function pageOfOwner<T extends { id: string }>(
  ctx: Pick<ActorCtx, "db" | "actor" | "cursorKey" | "clock">,
  { list, input, filters }: OwnedList,
  fetch: (page: PageOfRows) => Promise<T[]>,
): Promise<Page<T>> {
  const { mode, projectId } = await ownerScope(ctx, input);
  return fetchPage(listScope(ctx, list, { mode, projectId, ...filters }), input, ({ after, take }) => {
    const where = {
      tenantId: ctx.actor.tenantId,
      mode,
      ...(projectId !== undefined && { projectId }),
      ...(after !== undefined && { id: { lt: after } }),
    };
    return fetch({ where, orderBy: { id: "desc" }, take });
  });
}
