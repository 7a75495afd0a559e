import type { Pool } from "pg";
import { ServiceError } from "../../../kernel/errors";
import { resolveSecret } from "../../data/secrets/resolve-secret";
import type { SecretOwner } from "../../data/secrets/secret";
import type { CodeEnv } from "./code-env";

type Resolved = { env: Record<string, string>; secrets: string[] } | { missing: string };

/** The current values of the variables of code and those among them that are secrets; or a sentence on a secret that does not exist. */
export async function resolveEnv(
  ctx: { sql: Pool; secretsKey: Buffer },
  owner: SecretOwner,
  env: CodeEnv,
): Promise<Resolved> {
  const values: Record<string, string> = {};
  const secrets: string[] = [];
  try {
    for (const [name, value] of Object.entries(env)) {
      if (typeof value === "string") values[name] = value;
      else {
        values[name] = await resolveSecret(ctx, owner, value);
        secrets.push(values[name]);
      }
    }
    return { env: values, secrets };
  } catch (failure) {
    if (failure instanceof ServiceError && failure.code === "unprocessable") return { missing: failure.message };
    throw failure;
  }
}
