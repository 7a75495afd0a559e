import type { Prisma, Secret as SecretRow } from "../../../engines/postgres/generated/client";
import { findProject } from "../../../identity/projects/find-project";
import { type Actor, modeOf } from "../../../operation/actor";
import { noSuchSecret, SECRET_ID_PREFIX, type SecretOwner } from "./secret";
import type { SecretChoice } from "./secret-fields";

interface FindCtx {
  db: Prisma.TransactionClient;
  actor: Actor;
}

/** Where a request stores a secret. Throws `not_found` for the project. */
export async function ownerOf(
  { db, actor }: FindCtx,
  { mode, project, tenant = false }: Omit<SecretChoice, "name">,
): Promise<SecretOwner> {
  const at = { tenantId: actor.tenantId, mode: modeOf(actor, mode) };
  // Throws for another project, as everywhere.
  if (tenant && project === undefined) return { ...at, projectId: null };
  const { id } = await findProject(db, actor, project);
  return { ...at, projectId: tenant ? null : id };
}

/** Returns the secret of exactly the place that a request names, or any visible one by id. Throws `not_found`. */
export async function findSecret(ctx: FindCtx, choice: SecretChoice): Promise<SecretRow> {
  if (isSecretId(choice.name)) return byId(ctx, choice.name);
  const found = await ctx.db.secret.findFirst({ where: { ...(await ownerOf(ctx, choice)), name: choice.name } });
  if (!found) throw noSuchSecret(choice.name);
  return found;
}

/** Like `findSecret`, but without `tenant` a name also means the secret of the whole tenant, as in a reference. */
export async function lookUpSecret(ctx: FindCtx, choice: SecretChoice): Promise<SecretRow> {
  if (isSecretId(choice.name) || choice.tenant === true) return findSecret(ctx, choice);
  const { projectId, ...at } = await ownerOf(ctx, choice);
  const found = await ctx.db.secret.findFirst({
    where: { ...at, name: choice.name, OR: [{ projectId }, { projectId: null }] },
    orderBy: { projectId: { sort: "asc", nulls: "last" } },
  });
  if (!found) throw noSuchSecret(choice.name);
  return found;
}

/** Ids begin with a prefix that names may not have. */
export const isSecretId = (text: string): boolean => text.startsWith(`${SECRET_ID_PREFIX}_`);

/** A key sees the secrets of its own project and of the whole tenant in its mode, a person all of the tenant. */
async function byId({ db, actor }: FindCtx, id: string): Promise<SecretRow> {
  const seen =
    actor.kind === "key" ? { mode: actor.mode, OR: [{ projectId: actor.projectId }, { projectId: null }] } : {};
  const found = await db.secret.findFirst({ where: { tenantId: actor.tenantId, id, ...seen } });
  if (!found) throw noSuchSecret(id);
  return found;
}
