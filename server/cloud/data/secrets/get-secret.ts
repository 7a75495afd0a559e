import { z } from "zod";
import { operation } from "../../cloud-operation";
import { lookUpSecret } from "./find-secret";
import { SecretWithVersions, toSecret, toVersion } from "./secret";
import { secretExample, secretWithVersionsExample } from "./secret.example";
import type { SecretCtx } from "./secret-ctx";
import { secretChoice, tenantOfLookUp } from "./secret-fields";

/** Returns a secret and its versions, without values. Throws `not_found`. */
export const getSecret = operation({
  id: "getSecret",
  summary: "Get a secret and its versions, without values",
  access: "secrets:read",
  input: z.strictObject({ ...secretChoice, tenant: tenantOfLookUp }),
  output: SecretWithVersions,
  example: { input: { name: secretExample.name }, output: secretWithVersionsExample },
  run: async (ctx: SecretCtx, input) => {
    const row = await lookUpSecret(ctx, input);
    const versions = await ctx.db.secretVersion.findMany({
      where: { secretId: row.id },
      select: { number: true, createdAt: true },
      orderBy: { number: "desc" },
    });
    return { ...toSecret(row), versions: versions.map(toVersion) };
  },
});
