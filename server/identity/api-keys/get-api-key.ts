import { z } from "zod";
import type { ActorCtx } from "../identity-ctx";
import { operation } from "../identity-operation";
import { IdText } from "../wire-text";
import { ApiKey, noSuchKey, toApiKey, visibleTo } from "./api-key";
import { apiKeyExample } from "./api-key.example";

/** Returns a key without its secret. Throws `not_found` for a key that the actor may not see. */
export const getApiKey = operation({
  id: "getKey",
  summary: "Get an API key",
  access: "keys:read",
  input: z.strictObject({ id: IdText }),
  output: ApiKey,
  example: { input: { id: apiKeyExample.id }, output: apiKeyExample },
  run: async ({ db, actor }: ActorCtx, { id }) => {
    const row = await db.apiKey.findFirst({ where: { ...visibleTo(actor), id } });
    if (!row) throw noSuchKey(id);
    return toApiKey(row);
  },
});
