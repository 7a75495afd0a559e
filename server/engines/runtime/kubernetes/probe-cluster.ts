import { KubernetesError } from "./kubernetes-api";
import type { KubernetesRuntime } from "./kubernetes-runtime";
import { observationOf } from "./pod-observation";
import { networkPolicy } from "./secret-manifests";

/** Containers that start before a workload and end after it, and input that ends in `exec`. */
const MINOR_MIN = 30;
const PROBE_MS = 120_000;
const REACHED_CODE = 3;
const ID = "probe";
const NOTICE = "probe";

/** Waits for a notice, and fails if it reaches the API server in spite of the NetworkPolicy, which may take a moment. */
const PROGRAM = `n=0
until [ -f /run/svc/${NOTICE} ]; do n=$((n + 1)); [ "$n" -gt 600 ] && exit 2; sleep 0.1; done
for n in 1 2 3 4 5; do
  case "$(wget -q -T 2 -O - "http://$KUBERNETES_SERVICE_HOST:$KUBERNETES_SERVICE_PORT/" 2>&1)" in
    *"server returned"*) sleep 1 ;;
    *) exit 0 ;;
  esac
done
exit ${REACHED_CODE}`;

type Needed = readonly [group: string, resource: string, subresource: string, verbs: readonly string[]];
const NEEDED: readonly Needed[] = [
  ["", "pods", "", ["create", "get", "list", "watch", "patch", "delete"]],
  ["", "pods", "log", ["get"]],
  ["", "pods", "exec", ["get", "create"]],
  ["", "secrets", "", ["create", "list", "patch", "delete"]],
  ["networking.k8s.io", "networkpolicies", "", ["create", "patch"]],
];

/** Of volumes. */
const CLAIMS: Needed = ["", "persistentvolumeclaims", "", ["create", "list", "patch", "delete"]];

/** Whether svc may make volumes in the namespace. */
export const mayMakeVolumes = async (runtime: KubernetesRuntime): Promise<boolean> =>
  (await missingPermissions(runtime, [CLAIMS])).length === 0;

/** Runs a small workload with everything that others get, and removes it; throws an Error with the reason if it fails. */
export async function probeCluster(runtime: KubernetesRuntime): Promise<void> {
  const { api, namespace } = runtime.parts.store.parts;
  try {
    await checkVersion(runtime);
    const missing = await missingPermissions(runtime, NEEDED);
    if (missing.length > 0) throw new Error(`in the namespace ${namespace} svc may not ${missing.join(", ")}`);
    const policy = networkPolicy(namespace);
    const policies = `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`;
    await api.apply(`${policies}/${policy.metadata?.name}`, policy);
  } catch (cause) {
    throw new Error(`the cluster cannot be used: ${reasonOf(cause)}`, { cause });
  }
  await runProbe(runtime);
}

async function checkVersion({ parts: { store } }: KubernetesRuntime): Promise<void> {
  const { major, minor } = await store.parts.api.call<{ major: string; minor: string }>({ path: "/version" });
  if (Number(major) === 1 && Number.parseInt(minor, 10) < MINOR_MIN) {
    throw new Error(`it is version ${major}.${minor}, and svc needs 1.${MINOR_MIN} or newer`);
  }
}

async function missingPermissions(
  { parts: { store } }: KubernetesRuntime,
  needed: readonly Needed[],
): Promise<string[]> {
  const { api, namespace } = store.parts;
  const asked = needed.flatMap(([group, resource, subresource, verbs]) =>
    verbs.map((verb) => ({ namespace, group, resource, subresource, verb })),
  );
  const path = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
  const kind = { apiVersion: "authorization.k8s.io/v1", kind: "SelfSubjectAccessReview" };
  const missing: string[] = [];
  for (const resourceAttributes of asked) {
    const body = { ...kind, spec: { resourceAttributes } };
    const { status } = await api.call<{ status?: { allowed?: boolean } }>({ method: "POST", path, body });
    const { verb, resource, subresource } = resourceAttributes;
    if (!status?.allowed) missing.push(`${verb} ${resource}${subresource && `/${subresource}`}`);
  }
  return missing;
}

async function runProbe(runtime: KubernetesRuntime): Promise<void> {
  const { agentImage, store, clock } = runtime.parts;
  const image = { reference: agentImage };
  const late = setTimeout(() => void runtime.terminate(ID, 0).catch(() => {}), PROBE_MS);
  try {
    await runtime.ensure({ id: ID, image, command: ["/bin/sh", "-c", PROGRAM], network: "none" });
    await runtime.notify(ID, NOTICE, "");
    const ended = await store.until(
      store.nameOf(ID),
      (pod) => {
        const observed = observationOf(pod, clock.now());
        return observed.state === "exited" ? observed : undefined;
      },
      { ms: PROBE_MS },
    );
    if (ended?.exitCode === 0) return;
    if (ended?.exitCode === REACHED_CODE) {
      throw new Error("the network plugin of the cluster does not enforce NetworkPolicy: a pod reached the API server");
    }
    throw new Error(`a small pod did not end as it should: ${ended?.signal ?? ended?.exitCode ?? "it still runs"}`);
  } finally {
    clearTimeout(late);
    await runtime.remove(ID);
  }
}

/** Without what only the programs of the client show, such as addresses. */
function reasonOf(cause: unknown): string {
  if (cause instanceof KubernetesError) return cause.message;
  if (cause instanceof Error && "code" in cause) return `no connection to its API server (${String(cause.code)})`;
  return cause instanceof Error ? cause.message : "it does not respond";
}
