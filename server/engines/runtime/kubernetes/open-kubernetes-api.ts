import { readFile } from "node:fs/promises";
import { KubernetesApi } from "./kubernetes-api";

/** A kubeconfig file, or the service account of the pod in which svc runs. */
export type KubernetesAccess = { kubeconfig: string } | "service-account";

/** The API of a cluster; nothing is asked of it yet. Throws an Error with the reason. */
export async function openKubernetesApi(access: KubernetesAccess): Promise<KubernetesApi> {
  // Installations without a cluster do not load it, which takes about a second.
  const { KubeConfig } = await import("@kubernetes/client-node");
  const config = new KubeConfig();
  if (access === "service-account") config.loadFromCluster();
  else {
    try {
      config.loadFromString(await readFile(access.kubeconfig, "utf8"));
    } catch {
      throw new Error(`the file ${access.kubeconfig} cannot be read as a kubeconfig`);
    }
  }
  return new KubernetesApi(config);
}
