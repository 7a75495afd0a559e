import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { operation } from "../../cloud-operation";
import { findSecret, isSecretId, ownerOf } from "./find-secret";
import { Secret } from "./secret";
import { EXAMPLE_VALUE, secretExample } from "./secret.example";
import type { SecretCtx } from "./secret-ctx";
import { PutName, SecretText, tenantInBody } from "./secret-fields";
import { lockSecrets, storeFirst, storeNext } from "./store-value";

/** Stores a secret, or a new version of it. Throws `not_found` for the project or an id, and `quota_exceeded` for a new name. */
export const putSecret = operation({
  id: "putSecret",
  summary: "Store a secret, or a new version of it",
  description:
    "Every call stores a new version, also with the same value; `version` of the response is 1 if the name was new. References use the new version from their next use on. The values of the last 10 versions are kept, older ones are erased.",
  access: "secrets:write",
  input: z.strictObject({
    name: PutName,
    value: SecretText,
    ...ownerFields,
    tenant: tenantInBody,
  }),
  output: Secret,
  example: {
    input: { name: secretExample.name, value: EXAMPLE_VALUE },
    output: { ...secretExample, version: 2 },
  },
  run: (ctx: SecretCtx, { name, value, ...choice }) =>
    ctx.db.$transaction(async (tx) => {
      await lockSecrets(tx, ctx.actor.tenantId);
      if (isSecretId(name)) {
        const before = await findSecret({ db: tx, actor: ctx.actor }, { name, ...choice });
        return storeNext(tx, ctx, { before, value });
      }
      const owner = await ownerOf({ db: tx, actor: ctx.actor }, choice);
      const before = await tx.secret.findFirst({ where: { ...owner, name } });
      return before ? storeNext(tx, ctx, { before, value }) : storeFirst(tx, ctx, { owner, name, value });
    }),
});
