import { existsSync } from "node:fs";
import { z } from "zod";
import type { KubernetesSettings } from "./engines/runtime/kubernetes/open-kubernetes-runtime";

/** Kubernetes mounts it into pods that may use the API. */
const SERVICE_ACCOUNT_TOKEN = "/var/run/secrets/kubernetes.io/serviceaccount/token";

export const kubernetesVariables = {
  KUBECONFIG: z.string().optional(),
  KUBERNETES_SERVICE_HOST: z.string().optional(),
  KUBERNETES_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "expected the name of a namespace, such as svc")
    .default("svc"),
  KUBERNETES_AGENT_IMAGE: z.string().min(1, "expected the name of an image").default("busybox:1.36"),
};

/** The cluster of the environment; undefined if it names none. */
export function kubernetesOf(e: z.output<z.ZodObject<typeof kubernetesVariables>>): KubernetesSettings | undefined {
  const settings = { namespace: e.KUBERNETES_NAMESPACE, agentImage: e.KUBERNETES_AGENT_IMAGE };
  if (e.KUBECONFIG) return { ...settings, access: { kubeconfig: e.KUBECONFIG } };
  const isInCluster = e.KUBERNETES_SERVICE_HOST !== undefined && existsSync(SERVICE_ACCOUNT_TOKEN);
  return isInCluster ? { ...settings, access: "service-account" } : undefined;
}
