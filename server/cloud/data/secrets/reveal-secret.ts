import { z } from "zod";
import { recordAudit } from "../../../identity/audit/record-audit";
import { ServiceError } from "../../../kernel/errors";
import { operation } from "../../cloud-operation";
import { lookUpSecret } from "./find-secret";
import { openValue } from "./sealed-value";
import { SecretValue, secretTarget } from "./secret";
import { EXAMPLE_VALUE, secretExample } from "./secret.example";
import { versionValue } from "./secret.sql";
import type { SecretCtx } from "./secret-ctx";
import { secretChoice, tenantOfLookUp, versionInQuery } from "./secret-fields";

/** Returns a value and records who read it. Throws `not_found` for the secret and for a version that is not kept. */
export const revealSecret = operation({
  id: "revealSecret",
  summary: "Read the value of a secret",
  description:
    "Requires the scope `secrets:reveal`, which members do not have. Every call adds an entry to the audit log, so a client must not repeat it on its own, and the response must not be stored.",
  access: "secrets:reveal",
  input: z.strictObject({
    ...secretChoice,
    tenant: tenantOfLookUp,
    version: versionInQuery.describe("One of the last 10 versions; default: the current one"),
  }),
  output: SecretValue,
  example: {
    input: { name: secretExample.name },
    output: { id: secretExample.id, name: secretExample.name, version: 1, value: EXAMPLE_VALUE },
  },
  run: async (ctx: SecretCtx, input) => {
    const row = await lookUpSecret(ctx, input);
    const { id, name } = row;
    const version = input.version ?? row.version;
    return ctx.db.$transaction(async (tx) => {
      const stored = await versionValue(tx, id, version);
      if (!stored) throw noSuchVersion(name, version);
      const value = openValue(ctx.secretsKey, stored);
      await recordAudit(tx, ctx, { action: "secret.revealed", targets: [secretTarget(row)], details: { version } });
      return { id, name, version, value };
    });
  },
});

const noSuchVersion = (name: string, version: number): ServiceError =>
  new ServiceError("not_found", `The secret "${name}" has no version ${version}: the last 10 are kept.`, {
    param: "version",
  });
