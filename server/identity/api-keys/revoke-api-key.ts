import { z } from "zod";
import { EXAMPLE_LATER } from "../../operation/example";
import { recordAudit } from "../audit/record-audit";
import type { KeyCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { IdText } from "../wire-text";
import { ApiKey, announceEnd, keyTarget, noSuchKey, toApiKey, visibleTo } from "./api-key";
import { apiKeyEvent, apiKeyRevoked } from "./api-key.events";
import { apiKeyExample } from "./api-key.example";
import { lockKey } from "./api-key.sql";
import { assertHoldsScopesOf } from "./assert-holds-scopes-of";

/**
 * Revokes a key in every process; revoking it again changes nothing. Throws `not_found` for a key that the actor may
 * not see, and `forbidden` for a key that revokes one with scopes that it does not have itself.
 */
export const revokeApiKey = operation({
  id: "revokeKey",
  summary: "Revoke an API key permanently",
  description: "A key revokes only keys whose scopes it has itself; owners and admins revoke all.",
  access: "keys:write",
  input: z.strictObject({ id: IdText }),
  output: ApiKey,
  example: { input: { id: apiKeyExample.id }, output: { ...apiKeyExample, revoked_at: EXAMPLE_LATER } },
  run: async (ctx: KeyCtx, { id }) => {
    const { db, clock, actor, counters } = ctx;
    const row = await db.$transaction(async (tx) => {
      await lockKey(tx, { id, tenantId: actor.tenantId });
      const found = await tx.apiKey.findFirst({ where: { ...visibleTo(actor), id } });
      if (!found) throw noSuchKey(id);
      if (actor.kind === "key") assertHoldsScopesOf(actor, found, "revoke");
      if (found.revokedAt) return found;
      const revoked = await tx.apiKey.update({ where: { id }, data: { revokedAt: clock.now() } });
      const events = [apiKeyEvent(apiKeyRevoked, toApiKey(revoked))];
      await recordAudit(tx, ctx, { action: "api_key.revoked", targets: [keyTarget(revoked)], events });
      return revoked;
    });
    await announceEnd(counters, row);
    return toApiKey(row);
  },
});
