import { z } from "zod";
import type { ApiKey as ApiKeyRow, Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import { EXAMPLE_LATER } from "../../operation/example";
import { recordAudit } from "../audit/record-audit";
import type { KeyCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { IdText } from "../wire-text";
import { ApiKeyWithSecret, announceEnd, generateKey, keyTarget, noSuchKey, toApiKey, visibleTo } from "./api-key";
import { apiKeyEvent, apiKeyRotated } from "./api-key.events";
import { apiKeyExample } from "./api-key.example";
import { lockKey } from "./api-key.sql";
import { assertHoldsScopesOf } from "./assert-holds-scopes-of";
import { keyLimitsOf, limitedBy } from "./key-limits";

const GRACE_SECONDS_MAX = 86_400;

export const RotateApiKey = z.strictObject({
  id: IdText,
  grace_seconds: z
    .int()
    .min(0)
    .max(GRACE_SECONDS_MAX)
    .default(0)
    .describe("How long the replaced secret is still accepted"),
});
type RotateApiKeyInput = z.output<typeof RotateApiKey>;

/**
 * Replaces the secret of a key; only the response shows the new one. The old secret is accepted until the grace period
 * ends, and one from an earlier rotation stops working. Throws `not_found` for a key that the actor may not see,
 * `conflict` for a revoked or expired key, `forbidden` for a key with scopes, a lifetime or addresses that the actor
 * does not have.
 */
export const rotateApiKey = operation({
  id: "rotateKey",
  summary: "Replace the secret of an API key; the new one is shown once",
  access: "keys:write",
  idempotent: true,
  input: RotateApiKey,
  output: ApiKeyWithSecret,
  example: {
    input: { id: apiKeyExample.id, grace_seconds: 20 },
    output: {
      ...apiKeyExample,
      rotated_at: EXAMPLE_LATER,
      previous_secret_until: "2026-11-20T10:00:20.000Z",
      key: "svc_live_…",
    },
  },
  run: async (ctx: KeyCtx, input) => {
    const { before, after, key } = await ctx.db.$transaction(async (tx) => {
      const found = await findRotatable(tx, ctx, input.id);
      const generated = generateKey(found.mode);
      const rotated = await tx.apiKey.update({
        where: { id: found.id },
        data: changesOf(ctx, found, { ...input, ...generated }),
      });
      const details = { grace_seconds: input.grace_seconds };
      const events = [apiKeyEvent(apiKeyRotated, toApiKey(rotated))];
      await recordAudit(tx, ctx, { action: "api_key.rotated", targets: [keyTarget(rotated)], details, events });
      return { before: found, after: rotated, key: generated.key };
    });
    await announceEnd(ctx.counters, before);
    return { ...toApiKey(after), key };
  },
});

async function findRotatable(tx: Prisma.TransactionClient, { actor, clock }: KeyCtx, id: string): Promise<ApiKeyRow> {
  await lockKey(tx, { id, tenantId: actor.tenantId });
  const row = await tx.apiKey.findFirst({ where: { ...visibleTo(actor), id } });
  if (!row) throw noSuchKey(id);
  if (row.revokedAt) throw ended("revoked");
  if (row.expiresAt && row.expiresAt <= clock.now()) throw ended("expired");
  // The new secret grants all scopes of the key.
  assertHoldsScopesOf(actor, row, "rotate");
  limitedBy(await keyLimitsOf(tx, actor), row);
  return row;
}

function changesOf(
  { clock }: KeyCtx,
  { hash: replaced }: ApiKeyRow,
  { grace_seconds: graceSeconds, hash, lastFour }: RotateApiKeyInput & Omit<ReturnType<typeof generateKey>, "key">,
) {
  const rotatedAt = clock.now();
  const grace =
    graceSeconds > 0
      ? { previousHash: replaced, previousUntil: new Date(rotatedAt.getTime() + graceSeconds * 1000) }
      : { previousHash: null, previousUntil: null };
  return { hash, lastFour, rotatedAt, ...grace };
}

const ended = (how: "revoked" | "expired"): ServiceError =>
  new ServiceError("conflict", `This key has ${how === "revoked" ? "been revoked" : "expired"}; create another one.`, {
    details: { reason: `key_${how}` },
  });
