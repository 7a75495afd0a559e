import type { Prisma, Project } from "../../engines/postgres/generated/client";
import type { Actor } from "../../operation/actor";
import { noSuchProject } from "../projects-called";
import { notArchived } from "./project";

/**
 * Returns the project in which an actor creates keys: the one with the requested id or name, or by default a key's own
 * or the first of the tenant. Throws `not_found` when there is none, and when a key requests another project.
 */
export async function findProject(
  tx: Prisma.TransactionClient,
  actor: Actor,
  asked: string | undefined,
): Promise<Project> {
  const own = actor.kind === "key" ? [{ id: actor.projectId }] : [];
  const named = asked === undefined ? [] : [{ OR: [{ id: asked }, { name: asked }] }];
  const found = await tx.project.findMany({
    where: { ...notArchived(actor.tenantId), AND: [...own, ...named] },
    orderBy: { id: "asc" },
  });
  const project = found.find(({ id }) => id === asked) ?? found[0];
  if (!project) throw noSuchProject(asked ?? "", "project");
  return project;
}
