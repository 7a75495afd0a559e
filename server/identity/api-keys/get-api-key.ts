import { z } from "zod";
import { requireScope } from "../actors/require-scope";
import type { ActorCtx } from "../identity-ctx";
import { IdText } from "../wire-text";
import { type ApiKey, noSuchKey, toApiKey, visibleTo } from "./api-key";

export const GetApiKey = z.strictObject({ id: IdText });

/** One key, without its secret. Throws `not_found` for any that the actor may not see. */
export async function getApiKey({ db, actor }: ActorCtx, { id }: z.output<typeof GetApiKey>): Promise<ApiKey> {
  requireScope(actor, "keys:read");
  const row = await db.apiKey.findFirst({ where: { ...visibleTo(actor), id } });
  if (!row) throw noSuchKey(id);
  return toApiKey(row);
}
