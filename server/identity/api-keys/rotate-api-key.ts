import { z } from "zod";
import type { ApiKey as ApiKeyRow, Prisma } from "../../engines/postgres/generated/client";
import { ServiceError } from "../../kernel/errors";
import type { Actor } from "../actors/actor";
import { requireScope } from "../actors/require-scope";
import { recordAudit } from "../audit/record-audit";
import type { KeyCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import {
  type ApiKeyWithSecret,
  keyTarget,
  mintKey,
  noSuchKey,
  scopesOf,
  tellEnded,
  toApiKey,
  visibleTo,
} from "./api-key";
import { lockKey } from "./api-key.sql";
import { boundedBy, boundsOf } from "./key-bounds";

const GRACE_SECONDS_MAX = 86_400;

export const RotateApiKey = z.strictObject({
  id: IdText,
  grace_seconds: z
    .int()
    .min(0)
    .max(GRACE_SECONDS_MAX)
    .default(0)
    .describe("How long the secret that is replaced is still accepted"),
});
type RotateApiKeyInput = z.output<typeof RotateApiKey>;

/**
 * Gives a key another secret, which the answer alone shows; all else stays. The secret before is refused at once, or
 * after the grace; one that an earlier rotation left in its grace ends now. Throws `not_found` for a key not to be seen,
 * `conflict` for one that was revoked or has expired, `forbidden` for one with scopes, a life or addresses that the actor
 * does not have.
 */
export async function rotateApiKey(ctx: KeyCtx, input: RotateApiKeyInput): Promise<ApiKeyWithSecret> {
  requireScope(ctx.actor, "keys:write");
  const { before, after, key } = await ctx.db.$transaction(async (tx) => {
    const found = await findRotatable(tx, ctx, input.id);
    const minted = mintKey(found.mode);
    const rotated = await tx.apiKey.update({
      where: { id: found.id },
      data: changesOf(ctx, found, { ...input, ...minted }),
    });
    const details = { grace_seconds: input.grace_seconds };
    await recordAudit(tx, ctx, { action: "api_key.rotated", targets: [keyTarget(rotated)], details });
    return { before: found, after: rotated, key: minted.key };
  });
  await tellEnded(ctx.counters, before);
  return { ...toApiKey(after), key };
}

async function findRotatable(tx: Prisma.TransactionClient, { actor, clock }: KeyCtx, id: string): Promise<ApiKeyRow> {
  await lockKey(tx, { id, tenantId: actor.tenantId });
  const row = await tx.apiKey.findFirst({ where: { ...visibleTo(actor), id } });
  if (!row) throw noSuchKey(id);
  if (row.revokedAt) throw ended("revoked");
  if (row.expiresAt && row.expiresAt <= clock.now()) throw ended("expired");
  refuseMorePower(actor, row);
  boundedBy(await boundsOf(tx, actor), row);
  return row;
}

/** Who gets a key's new secret can do all that the key can. */
function refuseMorePower(actor: Actor, row: ApiKeyRow): void {
  const scope = scopesOf(row).find((each) => !actor.scopes.has(each));
  if (scope === undefined) return;
  throw new ServiceError("forbidden", `You cannot rotate a key with the scope ${scope}, since you do not have it.`, {
    details: { reason: "scope_missing", scope },
  });
}

function changesOf(
  { clock }: KeyCtx,
  { hash: replaced }: ApiKeyRow,
  { grace_seconds: graceSeconds, hash, lastFour }: RotateApiKeyInput & Omit<ReturnType<typeof mintKey>, "key">,
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
