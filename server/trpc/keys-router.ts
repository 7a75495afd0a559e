import { SCOPES } from "../identity/actors/actor";
import { CreateApiKey, createApiKey } from "../identity/api-keys/create-api-key";
import { ListApiKeys, listApiKeys } from "../identity/api-keys/list-api-keys";
import { RevokeApiKey, revokeApiKey } from "../identity/api-keys/revoke-api-key";
import { router, scoped } from "./trpc";

const read = scoped("keys:read");
const write = scoped("keys:write");

export const keysRouter = router({
  scopes: read.query(() => [...SCOPES]),
  list: read.input(ListApiKeys).query(({ ctx, input }) => listApiKeys(ctx.person, input)),
  create: write.input(CreateApiKey).mutation(({ ctx, input }) => createApiKey(ctx.person, input)),
  revoke: write.input(RevokeApiKey).mutation(({ ctx, input }) => revokeApiKey(ctx.person, input)),
});
