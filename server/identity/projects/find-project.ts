import type { Prisma, Project } from "../../engines/postgres/generated/client";
import type { Actor } from "../actors/actor";
import { livingOf, noSuchProject } from "./project";

/**
 * The project in which an actor makes keys: the one that `asked` names by id or name, else a key's own or a person's
 * first. Throws `not_found` where there is none, and for a key that asks for another than its own.
 */
export async function findProject(
  tx: Prisma.TransactionClient,
  actor: Actor,
  asked: string | undefined,
): Promise<Project> {
  const own = actor.kind === "key" ? [{ id: actor.projectId }] : [];
  const named = asked === undefined ? [] : [{ OR: [{ id: asked }, { name: asked }] }];
  const found = await tx.project.findMany({
    where: { ...livingOf(actor.tenantId), AND: [...own, ...named] },
    orderBy: { id: "asc" },
  });
  const project = found.find(({ id }) => id === asked) ?? found[0];
  if (!project) throw noSuchProject(asked ?? "", "project");
  return project;
}
