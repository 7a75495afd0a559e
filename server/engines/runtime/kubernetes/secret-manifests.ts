import type { V1NetworkPolicy, V1OwnerReference, V1Secret } from "@kubernetes/client-node";
import { parseImageReference } from "../oci/image-reference";
import type { Allocation } from "../runtime";
import {
  ID_ANNOTATION,
  podNameOf,
  SVC_NODE_LABEL,
  secretNamesOf,
  svcNodeLabelOf,
  WORKLOAD_LABEL,
} from "./object-names";

export interface SecretManifests {
  allocation: Allocation;
  nodeId: string;
  namespace: string;
  /** The pod's, once it exists: the cluster then deletes the Secrets with it. */
  podUid?: string | undefined;
}

/** The Secrets that the pod of an allocation refers to: none, or one of its environment, or of its image, or both. */
export function secretManifests({ allocation, nodeId, namespace, podUid }: SecretManifests): V1Secret[] {
  const { id, env = {}, image } = allocation;
  const podName = podNameOf(nodeId, id);
  const names = secretNamesOf(podName);
  const base = (name: string): V1Secret => ({
    apiVersion: "v1",
    kind: "Secret",
    metadata: {
      name,
      namespace,
      labels: { [WORKLOAD_LABEL]: "true", [SVC_NODE_LABEL]: svcNodeLabelOf(nodeId) },
      annotations: { [ID_ANNOTATION]: id },
      ...(podUid !== undefined && { ownerReferences: [ownerOf(podName, podUid)] }),
    },
  });
  const secrets: V1Secret[] = [];
  if (Object.keys(env).length > 0) secrets.push({ ...base(names.env), type: "Opaque", data: encoded(env) });
  if (image.credentials) {
    const config = JSON.stringify({ auths: { [serverOf(image.reference)]: authOf(image.credentials) } });
    const data = encoded({ ".dockerconfigjson": config });
    secrets.push({ ...base(names.pull), type: "kubernetes.io/dockerconfigjson", data });
  }
  return secrets;
}

/** No pod of svc may send or receive anything; the network plugin of the cluster must enforce it. */
export const networkPolicy = (namespace: string): V1NetworkPolicy => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: { name: "svc-no-network", namespace },
  spec: {
    podSelector: { matchLabels: { [WORKLOAD_LABEL]: "true" } },
    policyTypes: ["Ingress", "Egress"],
    ingress: [],
    egress: [],
  },
});

const ownerOf = (name: string, uid: string): V1OwnerReference => ({ apiVersion: "v1", kind: "Pod", name, uid });

const encoded = (texts: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString("base64")]));

/** Docker Hub has a name of its own in files of credentials. */
function serverOf(reference: string): string {
  const { registry } = parseImageReference(reference);
  return registry === "registry-1.docker.io" ? "https://index.docker.io/v1/" : registry;
}

const authOf = ({ username, password }: { username: string; password: string }) => ({
  username,
  password,
  auth: Buffer.from(`${username}:${password}`).toString("base64"),
});
