import { CLUSTER_LABEL, type Manifest } from "./cluster-manifests";

const API = "/apis/admissionregistration.k8s.io/v1";
const API_VERSION = "admissionregistration.k8s.io/v1";
const NAME = "svc-clusters";

export const POLICIES_PATH = `${API}/validatingadmissionpolicies`;
const BINDINGS_PATH = `${API}/validatingadmissionpolicybindings`;

/** What no object of a tenant may have, as expressions that must be true, with the sentence that the tenant reads. */
const RULES: readonly (readonly [kind: string, expression: string, message: string])[] = [
  // Kubernetes would pass on what others send to these addresses, in the whole Kubernetes.
  [
    "Service",
    "!has(object.spec.externalIPs) || size(object.spec.externalIPs) == 0",
    "spec.externalIPs: a service of a cluster of svc has no addresses of its own choice",
  ],
  [
    "Service",
    "!has(object.spec.type) || object.spec.type in ['ClusterIP', 'ExternalName']",
    "spec.type: expected ClusterIP or ExternalName; a service of a cluster of svc has no addresses of nodes or load balancers",
  ],
  // It would work after the kubeconfig has expired, and after its creator has lost access.
  [
    "Secret",
    "!has(object.type) || object.type != 'kubernetes.io/service-account-token'",
    "type: a token without an end cannot be made; POST /v1/clusters/{rid}/kubeconfig makes one",
  ],
  // Pods of others would be evicted for it, or it would be on a node without asking the scheduler.
  [
    "Pod",
    "!has(object.spec.priorityClassName) || !object.spec.priorityClassName.startsWith('system-')",
    "spec.priorityClassName: the classes of the system are not for pods of a cluster of svc",
  ],
  [
    "Pod",
    "!has(object.spec.nodeName) || object.spec.nodeName == ''",
    "spec.nodeName: only the scheduler chooses the node",
  ],
];

/** The policy of all clusters, which the whole Kubernetes has once, and its binding to their namespaces. */
export function policyManifests(): Manifest[] {
  const metadata = { name: NAME, labels: { [CLUSTER_LABEL]: "true" } };
  return [
    {
      path: `${POLICIES_PATH}/${NAME}`,
      body: { apiVersion: API_VERSION, kind: "ValidatingAdmissionPolicy", metadata, spec: policy() },
    },
    {
      path: `${BINDINGS_PATH}/${NAME}`,
      body: {
        apiVersion: API_VERSION,
        kind: "ValidatingAdmissionPolicyBinding",
        metadata,
        // A tenant cannot change the labels of its namespace.
        spec: {
          policyName: NAME,
          validationActions: ["Deny"],
          matchResources: { namespaceSelector: { matchLabels: { [CLUSTER_LABEL]: "true" } } },
        },
      },
    },
  ];
}

const policy = (): object => ({
  failurePolicy: "Fail",
  matchConstraints: {
    resourceRules: [
      { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE", "UPDATE"], resources: ["services", "secrets"] },
      // The scheduler names the node of a pod later.
      { apiGroups: [""], apiVersions: ["v1"], operations: ["CREATE"], resources: ["pods"] },
    ],
  },
  validations: RULES.map(([kind, expression, message]) => ({
    expression: `object.kind != '${kind}' || (${expression})`,
    message,
    reason: "Forbidden",
  })),
});
