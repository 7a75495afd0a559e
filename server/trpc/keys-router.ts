import { cloudRows } from "../http/cloud-rows";
import { conversionRows } from "../http/conversion-rows";
import { SCOPE_CATALOGUE, SCOPES } from "../identity/actors/actor";
import { CreateApiKey, createApiKey } from "../identity/api-keys/create-api-key";
import { GetApiKey, getApiKey } from "../identity/api-keys/get-api-key";
import { ListApiKeys, listApiKeys } from "../identity/api-keys/list-api-keys";
import { RevokeApiKey, revokeApiKey } from "../identity/api-keys/revoke-api-key";
import { RotateApiKey, rotateApiKey } from "../identity/api-keys/rotate-api-key";
import { router, scoped } from "./trpc";

const read = scoped("keys:read");
const write = scoped("keys:write");

/** Scopes that an endpoint asks for today; a key keeps the others for what comes later. */
const IN_USE: ReadonlySet<string> = new Set([...cloudRows, ...conversionRows].map(({ access }) => access));

export const keysRouter = router({
  scopes: read.query(() =>
    SCOPES.map((scope) => ({ scope, description: SCOPE_CATALOGUE[scope], in_use: IN_USE.has(scope) })),
  ),
  list: read.input(ListApiKeys).query(({ ctx, input }) => listApiKeys(ctx.person, input)),
  get: read.input(GetApiKey).query(({ ctx, input }) => getApiKey(ctx.person, input)),
  create: write.input(CreateApiKey).mutation(({ ctx, input }) => createApiKey(ctx.person, input)),
  rotate: write.input(RotateApiKey).mutation(({ ctx, input }) => rotateApiKey(ctx.person, input)),
  revoke: write.input(RevokeApiKey).mutation(({ ctx, input }) => revokeApiKey(ctx.person, input)),
});
