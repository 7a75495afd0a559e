import type { CloudCtx } from "../cloud-ctx";
import { resolveSecret } from "../secrets/resolve-secret";
import type { SecretPlace } from "../secrets/secret";
import type { PodEnv } from "./pod-fields";

/** The environment of a run with the current values of its secrets, and these values. */
export async function runEnvironment(
  ctx: Pick<CloudCtx, "sql" | "secretsKey">,
  place: SecretPlace,
  env: PodEnv,
): Promise<{ env: Record<string, string>; secrets: string[] }> {
  const resolved: Record<string, string> = {};
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string") resolved[name] = value;
    else {
      resolved[name] = await resolveSecret(ctx, place, value);
      secrets.add(resolved[name]);
    }
  }
  return { env: resolved, secrets: [...secrets] };
}
