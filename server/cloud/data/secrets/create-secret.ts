import { z } from "zod";
import { ownerFields } from "../../../identity/owner-fields";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { ownerOf } from "./find-secret";
import { Secret } from "./secret";
import { EXAMPLE_VALUE, secretExample } from "./secret.example";
import type { SecretCtx } from "./secret-ctx";
import { SecretName, SecretText, tenantInBody } from "./secret-fields";
import { SECRET_QUOTAS } from "./secrets.quotas";
import { lockSecrets, storeFirst } from "./store-value";

/** Stores a secret under a new name. Throws `not_found` for the project, `conflict` (reason `name_taken`) and `quota_exceeded`. */
export const createSecret = operation({
  id: "createSecret",
  summary: "Store a secret under a new name",
  description:
    "The value is encrypted and is not in the response. A name that is taken is a conflict; `PUT /v1/secrets/{name}` stores a new version instead.",
  access: "secrets:write",
  idempotent: true,
  result: "created",
  quota: SECRET_QUOTAS.secrets,
  input: z.strictObject({
    name: SecretName,
    value: SecretText,
    ...ownerFields,
    tenant: tenantInBody,
  }),
  output: Secret,
  example: { input: { name: secretExample.name, value: EXAMPLE_VALUE }, output: secretExample },
  run: (ctx: SecretCtx, { name, value, ...choice }) =>
    ctx.db.$transaction(async (tx) => {
      await lockSecrets(tx, ctx.actor.tenantId);
      const owner = await ownerOf({ db: tx, actor: ctx.actor }, choice);
      if (await tx.secret.findFirst({ where: { ...owner, name } })) throw nameTaken(name);
      return storeFirst(tx, ctx, { owner, name, value });
    }),
});

const nameTaken = (name: string): ServiceError =>
  new ServiceError(
    "conflict",
    `Another secret is named "${name}"; choose another name, or store a new version with PUT /v1/secrets/${name}.`,
    { param: "name", details: { reason: "name_taken" } },
  );
