import type { Pool } from "pg";
import { z } from "zod";
import { ServiceError } from "../../../kernel/errors";
import { openValue } from "./sealed-value";
import type { SecretOwner } from "./secret";
import { valueByName } from "./secret.sql";
import { SecretName } from "./secret-fields";

/** A reference to a secret in place of a value. */
export const SecretRef = z
  .strictObject({ secret: SecretName })
  .describe("A secret by its name: the one of the project, or else of the whole tenant, in the same mode")
  .meta({ id: "SecretRef" });
export type SecretRef = z.infer<typeof SecretRef>;

/**
 * Returns the current value that a reference means in a project and mode: a new version applies to the next call, in
 * every process. Throws `unprocessable` (reason `no_such_secret`) if there is none. Pass the value to `createRedactor`
 * before it can reach a log or an output.
 */
export async function resolveSecret(
  { sql, secretsKey }: { sql: Pool; secretsKey: Buffer },
  owner: SecretOwner,
  { secret: name }: SecretRef,
): Promise<string> {
  const stored = await valueByName(sql, owner, name);
  if (stored) return openValue(secretsKey, stored);
  throw new ServiceError(
    "unprocessable",
    `No secret of this project or tenant is named "${name}" in ${owner.mode} mode; store it with PUT /v1/secrets/${name}.`,
    { details: { reason: "no_such_secret", secret: name } },
  );
}
