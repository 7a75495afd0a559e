import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { newEvent } from "../../../identity/events/record-event";
import { operation } from "../../cloud-operation";
import { findSecret } from "./find-secret";
import { noSuchSecret, originOf, secretTarget, toSecret } from "./secret";
import { secretDeleted } from "./secret.events";
import { secretExample } from "./secret.example";
import type { SecretCtx } from "./secret-ctx";
import { secretChoice, tenantInQuery } from "./secret-fields";
import { lockSecrets } from "./store-value";

/** Erases a secret with all its versions. Throws `not_found`. */
export const deleteSecret = operation({
  id: "deleteSecret",
  summary: "Delete a secret with all its versions",
  description:
    "The values are erased. What refers to the secret fails from its next use on, unless the tenant has a secret of that name.",
  access: "secrets:write",
  input: z.strictObject({ ...secretChoice, tenant: tenantInQuery }),
  output: z.void(),
  example: { input: { name: secretExample.name }, output: undefined },
  run: async (ctx: SecretCtx, input) => {
    const { id } = await findSecret(ctx, input);
    await ctx.db.$transaction(async (tx) => {
      await lockSecrets(tx, ctx.actor.tenantId);
      const row = await tx.secret.findUnique({ where: { id } });
      if (!row) throw noSuchSecret(input.name);
      await tx.secret.delete({ where: { id } });
      const events = [newEvent(secretDeleted, toSecret(row), originOf(row))];
      await recordAudit(tx, ctx, { action: "secret.deleted", targets: [secretTarget(row)], events });
    });
  },
});
