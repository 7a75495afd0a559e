import { z } from "zod";
import { requireScope } from "../actors/require-scope";
import type { KeyCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { type ApiKey, KEY_REVOKED, noSuchKey, toApiKey, visibleTo } from "./api-key";

export const RevokeApiKey = z.object({ key_id: IdText });

/** Makes a key useless, everywhere at once; again changes nothing. Throws `not_found` for a key not to be seen. */
export async function revokeApiKey(
  { db, clock, actor, counters }: KeyCtx,
  input: z.output<typeof RevokeApiKey>,
): Promise<ApiKey> {
  requireScope(actor, "keys:write");
  const where = { ...visibleTo(actor), id: input.key_id };
  await db.apiKey.updateMany({ where: { ...where, revokedAt: null }, data: { revokedAt: clock.now() } });
  const row = await db.apiKey.findFirst({ where });
  if (!row) throw noSuchKey(input.key_id);
  // The key is revoked whether or not the others hear of it now: what they remember lasts ten seconds at most.
  await counters.publish(KEY_REVOKED, row.hash).catch(() => undefined);
  return toApiKey(row);
}
