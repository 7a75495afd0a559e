import { ServiceError } from "../kernel/errors";
import type { ActorCtx } from "./identity-ctx";

/**
 * The ids of the tenant's projects with an id or name, archived ones too, because what they had remains; undefined when
 * none is asked for. Throws `not_found` when no project is called so.
 */
export async function projectsCalled(
  { db, actor }: ActorCtx,
  asked: string | undefined,
): Promise<string[] | undefined> {
  if (asked === undefined) return undefined;
  const named = { tenantId: actor.tenantId, OR: [{ id: asked }, { name: asked }] };
  const found = await db.project.findMany({ where: named, select: { id: true } });
  if (found.length === 0) throw noSuchProject(asked, "project");
  return found.map(({ id }) => id);
}

export const noSuchProject = (asked: string, param?: string): ServiceError =>
  new ServiceError("not_found", `No project has the id or name "${asked.slice(0, 80)}".`, param ? { param } : {});
