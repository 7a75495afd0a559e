import { z } from "zod";
import type { Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { newId } from "../../kernel/ids";
import { type Actor, type Mode, modeOf, type Scope } from "../../operation/actor";
import { activeAt } from "../active-keys";
import { recordAudit } from "../audit/record-audit";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { findProject } from "../projects/find-project";
import { lockProject } from "../projects/project.sql";
import { noSuchProject } from "../projects-called";
import { quotaExceeded } from "../quotas/quota";
import { IdText, ModeName, NameText } from "../wire-text";
import { AllowedAddresses } from "./allowed-addresses";
import { ApiKeyWithSecret, generateKey, keyTarget, ScopeName, toApiKey } from "./api-key";
import { apiKeyCreated, apiKeyEvent } from "./api-key.events";
import { apiKeyExample } from "./api-key.example";
import { ACTIVE_KEYS_QUOTA } from "./api-keys.quotas";
import { type KeyLimits, keyLimitsOf, limitedBy } from "./key-limits";

export const CreateApiKey = z.strictObject({
  name: NameText,
  project: IdText.optional().describe(
    "Id or name; default: the key's own project, or the first project of a person's tenant",
  ),
  scopes: z
    .array(ScopeName)
    .min(1, "expected at least one scope")
    .transform((scopes) => [...new Set(scopes)]),
  mode: ModeName.optional().describe("Default: the key's own mode, or test"),
  expires_at: z.iso.datetime({ offset: true, error: "expected a time such as 2027-01-31T00:00:00Z" }).optional(),
  allowed_addresses: AllowedAddresses.optional(),
});
type CreateApiKeyInput = z.output<typeof CreateApiKey>;

/**
 * Creates a platform key; the response is the only place that shows it. Throws `forbidden` or `not_found` for a scope,
 * project, mode, lifetime or address that the actor does not have, and `quota_exceeded` when the project has 100 active
 * keys.
 */
export const createApiKey = operation({
  id: "createKey",
  summary: "Create an API key; its secret is shown once",
  access: "keys:write",
  idempotent: true,
  result: "created",
  input: CreateApiKey,
  output: ApiKeyWithSecret,
  example: {
    input: {
      name: apiKeyExample.name,
      project: apiKeyExample.project_id,
      scopes: apiKeyExample.scopes,
      mode: "live",
      allowed_addresses: apiKeyExample.allowed_addresses,
    },
    output: { ...apiKeyExample, key: "svc_live_…" },
  },
  run: async (ctx: ActorCtx, input) => {
    const { db, clock, actor } = ctx;
    refuseForeignScopes(actor, input.scopes);
    refuseOtherMode(actor, input.mode);
    const now = clock.now();
    const { name, scopes } = input;
    const fields = { name, scopes, mode: modeOf(actor, input.mode) };
    const asked = askedBounds(input, now);
    return db.$transaction(async (tx) => {
      const project = await findProject(tx, actor, input.project);
      // Lock first: another transaction cannot add a key between the count and the insert.
      if (!(await lockProject(tx, project.id))) throw noSuchProject(input.project ?? project.id);
      await refuseOverQuota(tx, project.id, now);
      const bounds = limitedBy(await keyLimitsOf(tx, actor), asked);
      const created = await insertKey(tx, {
        ...fields,
        ...bounds,
        tenantId: actor.tenantId,
        projectId: project.id,
        now,
      });
      const { key: _secret, ...details } = created;
      const events = [apiKeyEvent(apiKeyCreated, details)];
      await recordAudit(tx, ctx, { action: "api_key.created", targets: [keyTarget(created)], details, events });
      return created;
    });
  },
});

interface NewKey {
  tenantId: string;
  projectId: string;
  mode: Mode;
  name: string;
  scopes: readonly Scope[];
  allowedAddresses?: readonly string[];
  expiresAt: Date | null;
  now: Date;
}

/** Stores a new key and returns its secret, which cannot be read later. */
export async function insertKey(
  tx: Prisma.TransactionClient,
  { now, scopes, allowedAddresses = [], ...fields }: NewKey,
): Promise<ApiKeyWithSecret> {
  const { key, hash, lastFour } = generateKey(fields.mode);
  const lists = { scopes: [...scopes], allowedAddresses: [...allowedAddresses] };
  const row = await tx.apiKey.create({
    data: { ...fields, ...lists, id: newId("key", now.getTime()), hash, lastFour, createdAt: now },
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
  throw new ServiceError("forbidden", `A ${actor.mode} key can create ${actor.mode} keys only.`, { param: "mode" });
}

function askedBounds(input: CreateApiKeyInput, now: Date): Partial<KeyLimits> {
  const { expires_at: text, allowed_addresses: allowedAddresses } = input;
  const expiresAt = text === undefined ? undefined : new Date(text);
  if (expiresAt && expiresAt <= now) {
    throw new ServiceError("invalid_request", "expires_at is in the past; expected a later time.", {
      param: "expires_at",
    });
  }
  return { ...(expiresAt && { expiresAt }), ...(allowedAddresses && { allowedAddresses }) };
}

async function refuseOverQuota(tx: Prisma.TransactionClient, projectId: string, now: Date): Promise<void> {
  const active = await tx.apiKey.count({ where: { projectId, ...activeAt(now) } });
  if (active >= ACTIVE_KEYS_QUOTA.defaultLimit) throw quotaExceeded(ACTIVE_KEYS_QUOTA);
}
