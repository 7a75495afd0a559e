import { z } from "zod";
import { requireScope } from "../actors/require-scope";
import { recordAudit } from "../audit/record-audit";
import type { KeyCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { type ApiKey, keyTarget, noSuchKey, tellEnded, toApiKey, visibleTo } from "./api-key";
import { lockKey } from "./api-key.sql";

export const RevokeApiKey = z.strictObject({ id: IdText });

/** Makes a key useless, everywhere at once; again changes nothing. Throws `not_found` for a key not to be seen. */
export async function revokeApiKey(ctx: KeyCtx, { id }: z.output<typeof RevokeApiKey>): Promise<ApiKey> {
  const { db, clock, actor, counters } = ctx;
  requireScope(actor, "keys:write");
  const row = await db.$transaction(async (tx) => {
    await lockKey(tx, { id, tenantId: actor.tenantId });
    const found = await tx.apiKey.findFirst({ where: { ...visibleTo(actor), id } });
    if (!found) throw noSuchKey(id);
    if (found.revokedAt) return found;
    const revoked = await tx.apiKey.update({ where: { id }, data: { revokedAt: clock.now() } });
    await recordAudit(tx, ctx, { action: "api_key.revoked", targets: [keyTarget(revoked)] });
    return revoked;
  });
  await tellEnded(counters, row);
  return toApiKey(row);
}
