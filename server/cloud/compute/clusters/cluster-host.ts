import { readFile } from "node:fs/promises";
import { type KubernetesApi, KubernetesError } from "../../../engines/runtime/kubernetes/kubernetes-api";
import { type KubernetesAccess, openKubernetesApi } from "../../../engines/runtime/kubernetes/open-kubernetes-api";
import { ServiceError } from "../../../kernel/errors";
import type { Blocker } from "../../core/kinds/kind";

/** What svc must be allowed to do in the whole Kubernetes, as its API asks. */
const NEEDED: readonly (readonly [group: string, resource: string, verbs: readonly string[]])[] = [
  ["", "namespaces", ["create", "get", "list", "patch", "delete"]],
  ["", "serviceaccounts", ["create", "get", "list", "patch", "delete"]],
  ["", "serviceaccounts/token", ["create"]],
  ["", "resourcequotas", ["create", "list", "patch"]],
  ["", "limitranges", ["create", "patch"]],
  ["", "configmaps", ["create", "list", "patch", "delete"]],
  ["", "pods", ["deletecollection"]],
  ["networking.k8s.io", "networkpolicies", ["create", "list", "patch"]],
  ["admissionregistration.k8s.io", "validatingadmissionpolicies", ["create", "list", "patch"]],
  ["admissionregistration.k8s.io", "validatingadmissionpolicybindings", ["create", "patch"]],
  ["rbac.authorization.k8s.io", "roles", ["create", "patch"]],
  ["rbac.authorization.k8s.io", "rolebindings", ["create", "list", "patch", "delete"]],
];
const REVIEWS = "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews";
const CHECKED_MS = 60_000;
/** The first one with policies for admission that need no webhook. */
const MINOR_MIN = 30;

/** The Kubernetes in which clusters are made, if the installation has one. */
export class ClusterHost {
  #api: Promise<KubernetesApi> | undefined;
  #checked: { at: number; result: Promise<Checked> } | undefined;

  constructor(readonly access: KubernetesAccess | undefined) {}

  get isConfigured(): boolean {
    return this.access !== undefined;
  }

  /** What `work` does with the API. Throws `unavailable` (reason `no_kubernetes` or `kubernetes_failed`). */
  async use<T>(work: (api: KubernetesApi) => Promise<T>): Promise<T> {
    const api = await this.#open();
    try {
      return await work(api);
    } catch (cause) {
      if (!isFailureOfApi(cause)) throw cause;
      throw new ServiceError("unavailable", `Kubernetes failed: ${reasonOf(cause)}.`, {
        details: { reason: "kubernetes_failed" },
        cause,
      });
    }
  }

  async #open(): Promise<KubernetesApi> {
    const { access } = this;
    if (access === undefined) throw unavailable(NONE);
    this.#api ??= openKubernetesApi(access);
    try {
      return await this.#api;
    } catch (cause) {
      this.#api = undefined;
      throw unavailable(cause instanceof Error ? cause.message : String(cause));
    }
  }

  /** Why no cluster can be made; undefined: it can. */
  async blocker(version: string | undefined): Promise<Blocker | undefined> {
    if (!this.isConfigured) return missing(NONE);
    const checked = await this.#check();
    if ("problem" in checked) return missing(checked.problem);
    if (version === undefined || version === checked.version) return undefined;
    return {
      code: "needs_capability",
      message: `Clusters of this installation have version ${checked.version} of Kubernetes, not ${version}.`,
      remedy: `Omit version, or use ${checked.version}.`,
    };
  }

  /** The address and the certificate that kubeconfigs have. */
  async endpoint(): Promise<{ server: string; caData: string | undefined; skipTlsVerify: boolean }> {
    const cluster = (await this.#open()).config.getCurrentCluster();
    if (!cluster) throw unavailable("The kubeconfig of svc has no current cluster.");
    const { server, caData, caFile, skipTLSVerify: skipTlsVerify = false } = cluster;
    const fromFile = caData === undefined && caFile !== undefined ? await readFile(caFile) : undefined;
    return { server, caData: caData ?? fromFile?.toString("base64"), skipTlsVerify };
  }

  #check(): Promise<Checked> {
    const now = performance.now();
    if (!this.#checked || now - this.#checked.at > CHECKED_MS) this.#checked = { at: now, result: this.#ask() };
    return this.#checked.result;
  }

  async #ask(): Promise<Checked> {
    try {
      const api = await this.#open();
      const { major, minor } = await api.call<{ major: string; minor: string }>({ path: "/version" });
      if (Number(major) === 1 && Number.parseInt(minor, 10) < MINOR_MIN)
        return { problem: `The Kubernetes of KUBECONFIG is ${major}.${minor}; clusters need 1.${MINOR_MIN} or later.` };
      const denied = (await Promise.all(NEEDED.map((needed) => deniedOf(api, needed)))).flat();
      if (denied.length > 0) return { problem: `svc may not ${denied.join(", ")} in the Kubernetes of KUBECONFIG.` };
      return { version: `${major}.${Number.parseInt(minor, 10)}` };
    } catch (cause) {
      this.#checked = undefined;
      return { problem: `The Kubernetes of KUBECONFIG cannot be used: ${reasonOf(cause)}.` };
    }
  }
}

type Checked = { version: string } | { problem: string };

const NONE = "This installation has no Kubernetes in which clusters are made.";

const missing = (message: string): Blocker => ({
  code: "engine_missing",
  message,
  remedy:
    "The operator runs svc with RUNTIME=kubernetes (or auto) and a KUBECONFIG that may make namespaces; then create the cluster again.",
});

const unavailable = (message: string): ServiceError =>
  new ServiceError("unavailable", message, { details: { reason: "no_kubernetes" } });

async function deniedOf(api: KubernetesApi, [group, name, verbs]: (typeof NEEDED)[number]): Promise<string[]> {
  const [resource = "", subresource = ""] = name.split("/");
  const denied: string[] = [];
  for (const verb of verbs) {
    const body = {
      apiVersion: "authorization.k8s.io/v1",
      kind: "SelfSubjectAccessReview",
      spec: { resourceAttributes: { group, resource, subresource, verb } },
    };
    const { status } = await api.call<{ status?: { allowed?: boolean } }>({ method: "POST", path: REVIEWS, body });
    if (!status?.allowed) denied.push(`${verb} ${name}`);
  }
  return denied;
}

const isFailureOfApi = (cause: unknown): boolean =>
  cause instanceof KubernetesError ||
  (cause instanceof Error && (cause.name === "TimeoutError" || ("syscall" in cause && "code" in cause)));

/** Without addresses, which are the operator's alone. */
function reasonOf(cause: unknown): string {
  if (cause instanceof KubernetesError || cause instanceof ServiceError) return cause.message.replace(/\.$/, "");
  return cause instanceof Error && "code" in cause ? `no connection (${String(cause.code)})` : "it does not respond";
}
