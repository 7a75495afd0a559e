import { setTimeout as sleep } from "node:timers/promises";
import type { V1Pod, V1Secret } from "@kubernetes/client-node";
import { RuntimeError } from "../runtime";
import { type KubernetesApi, KubernetesError, MERGE } from "./kubernetes-api";
import {
  FINALIZER,
  ID_ANNOTATION,
  podNameOf,
  SVC_NODE_LABEL,
  secretNamesOf,
  svcNodeLabelOf,
  WORKLOAD_LABEL,
} from "./object-names";
import { PodCache } from "./pod-cache";
import type { ListWire, PodWire } from "./pod-wire";

export interface PodStoreParts {
  api: KubernetesApi;
  namespace: string;
  nodeId: string;
}

type ObjectKind = "pods" | "secrets" | "persistentvolumeclaims";

const FRESH_MS = 90_000;
const GONE_WAIT_MS = 30_000;
/** A change that no watch has reported is noticed after so long. */
const LOOK_AGAIN_MS = 10_000;
const CONFLICT = 409;

/** The pods and Secrets of the workloads of one node. Every method may be repeated. */
export class PodStore {
  readonly cache: PodCache;
  readonly #selector: string;

  constructor(readonly parts: PodStoreParts) {
    this.#selector = `${WORKLOAD_LABEL}=true,${SVC_NODE_LABEL}=${svcNodeLabelOf(parts.nodeId)}`;
    const { api } = parts;
    this.cache = new PodCache({ api, path: this.path("pods"), labelSelector: this.#selector, freshMs: FRESH_MS });
  }

  nameOf(id: string): string {
    return podNameOf(this.parts.nodeId, id);
  }

  path(kind: ObjectKind, name?: string): string {
    const all = `/api/v1/namespaces/${this.parts.namespace}/${kind}`;
    return name === undefined ? all : `${all}/${name}`;
  }

  /** As known, or from the server if it is not known. */
  async find(name: string): Promise<PodWire | undefined> {
    return this.cache.get(name) ?? (await this.read(name));
  }

  async read(name: string): Promise<PodWire | undefined> {
    const pod = await this.parts.api.find<PodWire>({ path: this.path("pods", name) });
    if (pod) this.cache.put(pod);
    else this.cache.drop(name);
    return pod;
  }

  /**
   * The first result of `check` that is not undefined; it is called at once and after each change of the pod. undefined
   * after `ms`.
   */
  async until<T>(
    name: string,
    check: (pod: PodWire | undefined) => T | undefined,
    { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
  ): Promise<T | undefined> {
    const until = performance.now() + ms;
    for (let isChanged = true; ; ) {
      const turn = new AbortController();
      // Before the look, so that no change is missed.
      const waitMs = Math.max(0, Math.min(LOOK_AGAIN_MS, until - performance.now()));
      const change = this.cache.changed(name, waitMs, AbortSignal.any([turn.signal, ...(signal ? [signal] : [])]));
      try {
        const result = check(isChanged ? await this.find(name) : await this.read(name));
        if (result !== undefined || performance.now() >= until) return result;
        signal?.throwIfAborted();
        isChanged = await change;
      } finally {
        turn.abort();
      }
    }
  }

  /** Creates the pod; one that exists already, also because a reply was lost, is returned as it is. */
  async create(pod: V1Pod): Promise<PodWire> {
    const name = pod.metadata?.name ?? "";
    try {
      const created = await this.parts.api.call<PodWire>({ method: "POST", path: this.path("pods"), body: pod });
      this.cache.put(created);
      return created;
    } catch (cause) {
      const existing = cause instanceof KubernetesError && cause.status === CONFLICT && (await this.read(name));
      if (existing) return existing;
      throw cause;
    }
  }

  async applySecrets(secrets: readonly V1Secret[]): Promise<void> {
    const { api } = this.parts;
    await Promise.all(secrets.map((secret) => api.apply(this.path("secrets", secret.metadata?.name), secret)));
  }

  /** The kubelet sends the stop signal, and SIGKILL after `graceSeconds`; a second call may shorten that. */
  async end(name: string, graceSeconds: number): Promise<void> {
    const body = { apiVersion: "v1", kind: "DeleteOptions", gracePeriodSeconds: graceSeconds };
    await this.parts.api.find({ method: "DELETE", path: this.path("pods", name), body });
  }

  /** Deletes a pod and its Secrets, and resolves when the pod is gone. Throws `not_ended`. */
  async remove(name: string, graceSeconds: number): Promise<void> {
    await this.end(name, graceSeconds);
    await this.#release(name);
    const { env, pull } = secretNamesOf(name);
    await Promise.all([env, pull].map((one) => this.#deleteSecret(one)));
    const until = performance.now() + GONE_WAIT_MS;
    for (let waitMs = 20; await this.read(name); waitMs = Math.min(1000, waitMs * 2)) {
      if (performance.now() > until) throw new RuntimeError("not_ended", "The workload's node has not ended it.");
      await sleep(waitMs);
    }
  }

  /** Ids of allocations, or of volumes, of which such an object exists. */
  async ids(kinds: readonly ObjectKind[] = ["pods", "secrets"]): Promise<string[]> {
    const objects = (await Promise.all(kinds.map((kind) => this.#list(kind)))).flat();
    const ids = objects.map(({ metadata }) => metadata.annotations?.[ID_ANNOTATION]);
    return [...new Set(ids.filter((id) => id !== undefined))];
  }

  /** Takes svc's finalizer off, after which the cluster deletes a pod whose containers have ended. */
  async #release(name: string): Promise<void> {
    const pod = await this.read(name);
    if (!pod?.metadata.finalizers?.includes(FINALIZER)) return;
    const { resourceVersion, finalizers } = pod.metadata;
    const metadata = { resourceVersion, finalizers: finalizers.filter((one) => one !== FINALIZER) };
    const call = { method: "PATCH" as const, path: this.path("pods", name), body: { metadata }, contentType: MERGE };
    try {
      await this.parts.api.find(call);
    } catch (cause) {
      if (!(cause instanceof KubernetesError && cause.status === CONFLICT)) throw cause;
      await this.#release(name);
    }
  }

  async #deleteSecret(name: string): Promise<void> {
    await this.parts.api.find({ method: "DELETE", path: this.path("secrets", name) });
  }

  async #list(kind: ObjectKind): Promise<PodWire[]> {
    const items: PodWire[] = [];
    let next: string | undefined = "";
    while (next !== undefined) {
      const query = { labelSelector: this.#selector, limit: 500, ...(next && { continue: next }) };
      const page: ListWire = await this.parts.api.call<ListWire>({ path: this.path(kind), query });
      items.push(...page.items);
      next = page.metadata.continue || undefined;
    }
    return items;
  }
}
