import { z } from "zod";
import type { ApiKey as ApiKeyRow, Prisma } from "../../engines/postgres/generated/client";
import { notFound, ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { type Actor, type Mode, modeOf, type Scope } from "../actors/actor";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { IdText, NameText } from "../wire-text";
import { type ApiKey, ModeName, mintKey, ScopeName, toApiKey } from "./api-key";

/** The 101st active key of a project is refused. */
export const ACTIVE_KEYS_MAX = 100;

export const CreateApiKey = z.object({
  name: NameText,
  scopes: z.array(ScopeName).min(1, "expected at least one scope"),
  project_id: IdText.optional().describe("default: the key's own project, or a person's first"),
  mode: ModeName.optional().describe("default: the key's own mode, or test"),
  expires_at: z.iso.datetime({ offset: true }).optional(),
});
type CreateApiKeyInput = z.output<typeof CreateApiKey>;

/**
 * Makes a platform key; the answer is the only place that ever shows it. Nobody grants a scope, a project or a mode that
 * they do not have (`forbidden`, `not_found`). Throws `quota_exceeded` when the project has 100 active keys.
 */
export async function createApiKey(
  { db, clock, actor }: ActorCtx,
  input: CreateApiKeyInput,
): Promise<ApiKey & { key: string }> {
  requireScope(actor, "keys:write");
  refuseForeignScopes(actor, input.scopes);
  refuseOtherMode(actor, input.mode);
  const now = clock.now();
  const expiresAt = expiryOf(input, now);
  const mode = modeOf(actor, input.mode);
  return db.$transaction(async (tx) => {
    const projectId = await lockProject(tx, actor, input.project_id);
    await refuseOverQuota(tx, projectId, now);
    const { name, scopes } = input;
    return insertKey(tx, { tenantId: actor.tenantId, projectId, mode, name, scopes, expiresAt, now });
  });
}

interface NewKey {
  tenantId: string;
  projectId: string;
  mode: Mode;
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  now: Date;
}

/** Writes a new key and answers it in clear, once. */
export async function insertKey(
  tx: Prisma.TransactionClient,
  { now, scopes, ...fields }: NewKey,
): Promise<ApiKey & { key: string }> {
  const { key, hash, lastFour } = mintKey(fields.mode);
  const row: ApiKeyRow = await tx.apiKey.create({
    data: { ...fields, id: newId("key", now.getTime()), scopes: [...new Set(scopes)], hash, lastFour, createdAt: now },
  });
  return { ...toApiKey(row), key };
}

function refuseForeignScopes(actor: Actor, scopes: readonly Scope[]): void {
  const index = scopes.findIndex((scope) => !actor.scopes.has(scope));
  if (index === -1) return;
  throw new ServiceError("forbidden", `You cannot grant ${scopes[index]}, since you do not have it.`, {
    param: `scopes[${index}]`,
    details: { reason: "scope_missing", scope: scopes[index] },
  });
}

function refuseOtherMode(actor: Actor, mode: Mode | undefined): void {
  if (actor.kind !== "key" || mode === undefined || mode === actor.mode) return;
  throw new ServiceError("forbidden", `A ${actor.mode} key makes ${actor.mode} keys only.`, { param: "mode" });
}

function expiryOf({ expires_at: text }: CreateApiKeyInput, now: Date): Date | null {
  if (text === undefined) return null;
  const expiresAt = new Date(text);
  if (expiresAt > now) return expiresAt;
  throw new ServiceError("invalid_request", "expires_at lies in the past; expected a later moment.", {
    param: "expires_at",
  });
}

/** Makes the project's creates wait for each other, so that none counts the keys while another adds one. */
async function lockProject(tx: Prisma.TransactionClient, actor: Actor, asked: string | undefined): Promise<string> {
  const wanted = actor.kind === "key" ? (asked ?? actor.projectId) : asked;
  const project = await tx.project.findFirst({
    where: { tenantId: actor.tenantId, ...(wanted === undefined ? {} : { id: wanted }) },
    orderBy: { id: "asc" },
  });
  if (!project || (actor.kind === "key" && project.id !== actor.projectId)) throw notFound("project", wanted ?? "");
  await tx.$queryRaw`select 1 from projects where id = ${project.id} for no key update`;
  return project.id;
}

async function refuseOverQuota(tx: Prisma.TransactionClient, projectId: string, now: Date): Promise<void> {
  const active = await tx.apiKey.count({
    where: { projectId, revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: now } }] },
  });
  if (active < ACTIVE_KEYS_MAX) return;
  throw new ServiceError("quota_exceeded", `A project has at most ${ACTIVE_KEYS_MAX} active keys; revoke one first.`, {
    details: { limit: ACTIVE_KEYS_MAX },
  });
}
