import { z } from "zod";
import { SCOPE_CATALOGUE, SCOPES } from "../../operation/actor";
import { operation } from "../identity-operation";
import { ScopeName } from "./api-key";

/** Lists every scope that a key can have, including scopes that no operation requires yet. */
export const listScopes = operation({
  id: "listScopes",
  summary: "List the scopes of API keys",
  access: "keys:read",
  input: z.strictObject({}),
  output: z.array(z.object({ scope: ScopeName, description: z.string(), in_use: z.boolean() })),
  example: { input: {}, output: [{ scope: "keys:read", description: SCOPE_CATALOGUE["keys:read"], in_use: true }] },
  run: async ({ scopesInUse }: { scopesInUse: ReadonlySet<string> }) =>
    SCOPES.map((scope) => ({ scope, description: SCOPE_CATALOGUE[scope], in_use: scopesInUse.has(scope) })),
});
