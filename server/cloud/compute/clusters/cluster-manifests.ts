import type { Taint } from "./node-labels";

/** An object, with its path in the API. */
export interface Manifest {
  path: string;
  /** As Kubernetes reads it. */
  body: object;
}

/** What the pods of a cluster can have together. */
export interface ClusterCapacity {
  cores: number;
  memoryGib: number;
  pods: number;
  gpus: number;
}

export const CLUSTER_LABEL = "svc/cluster";
export const NODE_GROUP_LABEL = "svc/node-group";
const TENANT_LABEL = "svc/tenant";
const ACCOUNT = "svc-tenant";
const QUOTA = "svc-capacity";

/** What a cluster has before it has node groups. */
export const BASE_CAPACITY: ClusterCapacity = { cores: 8, memoryGib: 16, pods: 50, gpus: 0 };

/** The namespace of a cluster: a DNS label, always the same for the same id. */
export const namespaceOf = (rid: string): string => `svc-cks-${rid.slice(rid.indexOf("_") + 1)}`;

const core = (namespace: string): string => `/api/v1/namespaces/${namespace}`;
const rbac = (namespace: string): string => `/apis/rbac.authorization.k8s.io/v1/namespaces/${namespace}`;
const networking = (namespace: string): string => `/apis/networking.k8s.io/v1/namespaces/${namespace}`;

export const namespacePath = (namespace: string): string => core(namespace);
export const accountPath = (namespace: string): string => `${core(namespace)}/serviceaccounts/${ACCOUNT}`;
export const bindingPath = (namespace: string): string => `${rbac(namespace)}/rolebindings/${ACCOUNT}`;
export const groupPath = (namespace: string, rid: string): string => `${core(namespace)}/configmaps/${groupName(rid)}`;

/** The name of the ConfigMap of a node group. */
const groupName = (rid: string): string => `svc-node-group-${rid.slice(rid.indexOf("_") + 1)}`;

const meta = (namespace: string, name: string) => ({ name, namespace, labels: { [CLUSTER_LABEL]: "true" } });

/** All objects of a cluster besides its node groups, in the order in which they are made. */
export function clusterManifests({ rid, tenantId, capacity }: ClusterManifests): Manifest[] {
  const namespace = namespaceOf(rid);
  return [
    { path: namespacePath(namespace), body: namespaceManifest(namespace, tenantId) },
    { path: `${networking(namespace)}/networkpolicies/svc-isolation`, body: isolation(namespace) },
    quotaManifest(namespace, capacity),
    { path: `${core(namespace)}/limitranges/svc-defaults`, body: defaults(namespace) },
    { path: `${rbac(namespace)}/roles/${ACCOUNT}`, body: role(namespace) },
    { path: accountPath(namespace), body: account(namespace) },
    { path: bindingPath(namespace), body: binding(namespace) },
  ];
}

interface ClusterManifests {
  rid: string;
  tenantId: string;
  capacity: ClusterCapacity;
}

/** `baseline` is what Kubernetes calls the level without known ways to the node; `restricted` rejects usual images. */
const namespaceManifest = (name: string, tenantId: string): object => ({
  apiVersion: "v1",
  kind: "Namespace",
  metadata: {
    name,
    labels: {
      [CLUSTER_LABEL]: "true",
      [TENANT_LABEL]: tenantId,
      "pod-security.kubernetes.io/enforce": "baseline",
      "pod-security.kubernetes.io/warn": "restricted",
    },
  },
});

/** Pods reach pods of their own cluster and its DNS, and nothing else reaches them. */
const isolation = (namespace: string): object => ({
  apiVersion: "networking.k8s.io/v1",
  kind: "NetworkPolicy",
  metadata: meta(namespace, "svc-isolation"),
  spec: {
    podSelector: {},
    policyTypes: ["Ingress", "Egress"],
    ingress: [{ from: [{ podSelector: {} }] }],
    egress: [
      { to: [{ podSelector: {} }] },
      {
        to: [
          {
            namespaceSelector: { matchLabels: { "kubernetes.io/metadata.name": "kube-system" } },
            podSelector: { matchLabels: { "k8s-app": "kube-dns" } },
          },
        ],
        ports: [
          { protocol: "UDP", port: 53 },
          { protocol: "TCP", port: 53 },
        ],
      },
    ],
  },
});

/** The quota of a cluster. Services get no addresses of nodes or load balancers, which would leave the namespace. */
export function quotaManifest(namespace: string, capacity: ClusterCapacity): Manifest {
  return {
    path: `${core(namespace)}/resourcequotas/${QUOTA}`,
    body: {
      apiVersion: "v1",
      kind: "ResourceQuota",
      metadata: meta(namespace, QUOTA),
      spec: { hard: hardOf(capacity) },
    },
  };
}

export const hardOf = ({ cores, memoryGib, pods, gpus }: ClusterCapacity): Record<string, string> => ({
  "requests.cpu": String(cores),
  "limits.cpu": String(cores),
  "requests.memory": `${memoryGib}Gi`,
  "limits.memory": `${memoryGib}Gi`,
  "requests.ephemeral-storage": "200Gi",
  "limits.ephemeral-storage": "200Gi",
  pods: String(pods),
  "requests.nvidia.com/gpu": String(gpus),
  persistentvolumeclaims: "20",
  "requests.storage": "200Gi",
  services: "50",
  "services.nodeports": "0",
  "services.loadbalancers": "0",
  configmaps: "200",
  secrets: "200",
  "count/jobs.batch": "200",
  "count/deployments.apps": "100",
});

/** What containers have that do not say so: the quota demands that each one does. */
const defaults = (namespace: string): object => ({
  apiVersion: "v1",
  kind: "LimitRange",
  metadata: meta(namespace, "svc-defaults"),
  spec: {
    limits: [
      {
        type: "Container",
        default: { cpu: "500m", memory: "512Mi", "ephemeral-storage": "2Gi" },
        defaultRequest: { cpu: "100m", memory: "128Mi", "ephemeral-storage": "256Mi" },
      },
    ],
  },
});

const WRITE = ["create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"];
const READ = ["get", "list", "watch"];

/** Neither roles nor network policies nor quotas can be changed: with those a tenant would leave the namespace. */
const role = (namespace: string): object => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "Role",
  metadata: meta(namespace, ACCOUNT),
  rules: [
    {
      apiGroups: [""],
      resources: ["pods", "services", "configmaps", "secrets", "persistentvolumeclaims"],
      verbs: WRITE,
    },
    { apiGroups: [""], resources: ["pods/exec", "pods/attach", "pods/portforward"], verbs: ["create", "get"] },
    { apiGroups: [""], resources: ["pods/log", "pods/status", "events", "endpoints"], verbs: READ },
    { apiGroups: [""], resources: ["resourcequotas", "limitranges", "serviceaccounts"], verbs: READ },
    {
      apiGroups: ["apps"],
      resources: [
        "deployments",
        "statefulsets",
        "replicasets",
        "daemonsets",
        "deployments/scale",
        "statefulsets/scale",
      ],
      verbs: WRITE,
    },
    { apiGroups: ["batch"], resources: ["jobs", "cronjobs"], verbs: WRITE },
    { apiGroups: ["autoscaling"], resources: ["horizontalpodautoscalers"], verbs: WRITE },
    { apiGroups: ["policy"], resources: ["poddisruptionbudgets"], verbs: WRITE },
    { apiGroups: ["networking.k8s.io"], resources: ["networkpolicies"], verbs: READ },
  ],
});

const account = (namespace: string): object => ({
  apiVersion: "v1",
  kind: "ServiceAccount",
  metadata: meta(namespace, ACCOUNT),
  automountServiceAccountToken: false,
});

const binding = (namespace: string): object => ({
  apiVersion: "rbac.authorization.k8s.io/v1",
  kind: "RoleBinding",
  metadata: meta(namespace, ACCOUNT),
  roleRef: { apiGroup: "rbac.authorization.k8s.io", kind: "Role", name: ACCOUNT },
  subjects: [{ kind: "ServiceAccount", name: ACCOUNT, namespace }],
});

export interface GroupManifest {
  clusterId: string;
  rid: string;
  name: string;
  sku: string;
  nodes: number;
  gpus: number;
  labels: Readonly<Record<string, string>>;
  taints: readonly Taint[];
}

/** What the tenant reads about a node group: a cluster in a namespace has no nodes that could carry it. */
export function groupManifest({ clusterId, rid, ...group }: GroupManifest) {
  const namespace = namespaceOf(clusterId);
  const { name, sku, nodes, gpus, labels, taints } = group;
  return {
    path: groupPath(namespace, rid),
    body: {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { ...meta(namespace, groupName(rid)), labels: { [NODE_GROUP_LABEL]: "true" } },
      data: {
        name,
        sku,
        nodes: String(nodes),
        gpus: String(gpus),
        labels: JSON.stringify(labels),
        taints: JSON.stringify(taints),
      },
    },
  };
}
