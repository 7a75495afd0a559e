import type { Pod } from "../../../engines/postgres/generated/client";
import type { ImageSource } from "../../../engines/runtime/runtime";
import { resolveSecret, type SecretRef } from "../../data/secrets/resolve-secret";
import type { SecretOwner } from "../../data/secrets/secret";
import type { PodEnv } from "../pod-requests/pod-fields";
import type { PodsCtx } from "./pods-ctx";

/** The image of a run, with the current value of the password of its registry. */
export async function runImage(
  ctx: Pick<PodsCtx, "sql" | "secretsKey">,
  pod: SecretOwner & Pick<Pod, "image" | "registryCredentials">,
): Promise<ImageSource> {
  const { image: reference, tenantId: owner } = pod;
  if (pod.registryCredentials === null) return { reference, owner };
  const { username, password } = pod.registryCredentials as { username: string; password: SecretRef };
  return { reference, owner, credentials: { username, password: await resolveSecret(ctx, pod, password) } };
}

/** The environment of a run with the current values of its secrets, and these values. */
export async function runEnvironment(
  ctx: Pick<PodsCtx, "sql" | "secretsKey">,
  owner: SecretOwner,
  env: PodEnv,
): Promise<{ env: Record<string, string>; secrets: string[] }> {
  const resolved: Record<string, string> = {};
  const secrets = new Set<string>();
  for (const [name, value] of Object.entries(env)) {
    if (typeof value === "string") resolved[name] = value;
    else {
      resolved[name] = await resolveSecret(ctx, owner, value);
      secrets.add(resolved[name]);
    }
  }
  return { env: resolved, secrets: [...secrets] };
}
