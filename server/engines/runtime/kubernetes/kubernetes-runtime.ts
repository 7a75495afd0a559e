import { Readable } from "node:stream";
import type { Exec } from "@kubernetes/client-node";
import type { Clock } from "../../../kernel/clock";
import { withTimeout } from "../../../kernel/with-timeout";
import type { ExecOptions, Execution } from "../execution";
import { checkAllocation } from "../namespaces/program-of";
import {
  type Allocation,
  type LogOptions,
  type Observation,
  type PrefetchedImage,
  type Runtime,
  RuntimeError,
  type StartReport,
} from "../runtime";
import { signalAll, signalChildren, writeNotice } from "./agent";
import { ClaimStore } from "./claim-store";
import { executeInPod } from "./execute-in-pod";
import { AGENT_CONTAINER, WORKLOAD_CONTAINER } from "./object-names";
import { podManifest } from "./pod-manifest";
import { observationOf } from "./pod-observation";
import type { PodStore } from "./pod-store";
import { readPodLogs } from "./read-pod-logs";
import { secretManifests } from "./secret-manifests";
import { startProblem } from "./start-failure";

export interface KubernetesRuntimeParts {
  store: PodStore;
  exec: Pick<Exec, "exec">;
  /** Of svc's own container in each pod. */
  agentImage: string;
  clock: Clock;
  /** Whether svc has the permissions for volumes. */
  hasVolumes: boolean;
  /** How long the kubelet's next tries may still succeed after a failure that can pass, such as of a registry. */
  retryMs?: number | undefined;
}

/** A start that this process waits for. */
interface Start {
  done: Promise<void>;
  interruption: AbortController;
  /** Whether the pod stays when the start is interrupted. */
  isKept: boolean;
}

const RETRY_MS = 120_000;
const KILL_WAIT_MS = 30_000;
const AGENT_MS = 15_000;
/** Kubernetes takes 0 for a deletion that does not wait for the node. */
const GRACE_SECONDS_MIN = 1;
const NOTICE_NAME = /^[a-z0-9][a-z0-9_.-]{0,63}$/;
/** It is part of the address of a call. */
const NOTICE_BYTES_MAX = 4096;

/** The kubelet does not tell in time. */
const NOT_KNOWN: StartReport = { pulledBytes: null };

/** Runs each workload as a pod of a Kubernetes cluster, in one namespace. */
export class KubernetesRuntime implements Runtime {
  readonly kind = "kubernetes";
  readonly isolation =
    "Containers of a Kubernetes cluster without privileges, with the system call filter of their engine and a NetworkPolicy that denies all traffic; workloads share the kernel of their node.";
  /** The number of processes is a setting of each node, not of a pod. */
  readonly limitsEnforced = false;
  readonly gpu = "none";
  readonly snapshots = false;
  readonly ports = false;
  readonly volumes: ClaimStore | undefined;
  readonly #starts = new Map<string, Start>();

  constructor(readonly parts: KubernetesRuntimeParts) {
    this.volumes = parts.hasVolumes ? new ClaimStore(parts.store) : undefined;
    parts.store.cache.start();
  }

  async ensure(allocation: Allocation, { restore }: { restore?: Readable | undefined } = {}): Promise<StartReport> {
    restore?.on("error", () => {});
    try {
      checkAllocation(allocation);
      const { id } = allocation;
      const existing = this.#starts.get(id);
      if (existing) return await existing.done.then(() => NOT_KNOWN);
      const interruption = new AbortController();
      const done = this.#start(allocation, { hasFiles: restore !== undefined, signal: interruption.signal });
      this.#starts.set(id, { done, interruption, isKept: false });
      await done.finally(() => this.#starts.delete(id));
      return NOT_KNOWN;
    } finally {
      restore?.destroy();
    }
  }

  async prefetch(): Promise<PrefetchedImage> {
    throw notSupported("The nodes of a Kubernetes cluster pull images themselves.");
  }

  async connect(): Promise<never> {
    throw notSupported("Pods of a Kubernetes cluster have no network.");
  }

  async observe(id: string): Promise<Observation> {
    const { store, clock } = this.parts;
    const observed = observationOf(await store.find(store.nameOf(id)), clock.now());
    return observed.state === "absent" && this.#starts.has(id) ? { state: "preparing" } : observed;
  }

  async signal(id: string, signal: NodeJS.Signals): Promise<void> {
    if ((await this.observe(id)).state === "running") await this.#inAgent(id, signalAll(signal));
  }

  async notify(id: string, name: string, contents: string): Promise<void> {
    if (!NOTICE_NAME.test(name) || Buffer.byteLength(contents) > NOTICE_BYTES_MAX) {
      throw new Error(`a notice has a name of a-z, 0-9, _ . - and at most ${NOTICE_BYTES_MAX} bytes`);
    }
    if ((await this.observe(id)).state === "running") await this.#inAgent(id, writeNotice(name, contents));
  }

  /**
   * Deletes the pod, so that its kubelet keeps the deadline even when svc is not running; svc's finalizer keeps the
   * object with the final status. The kubelet signals the first process, the agent those that it has started.
   */
  async terminate(id: string, graceSeconds: number): Promise<Observation> {
    const { store, clock } = this.parts;
    await this.#interrupt(id);
    const name = store.nameOf(id);
    const observed = observationOf(await store.read(name), clock.now());
    if (observed.state === "preparing") await store.remove(name, GRACE_SECONDS_MIN);
    if (observed.state === "preparing") return { state: "absent" };
    if (observed.state !== "running") return observed;
    const seconds = Math.max(GRACE_SECONDS_MIN, Math.ceil(graceSeconds));
    await store.end(name, seconds);
    // The first process ends also when the others cannot be signalled, and they end with it.
    if (graceSeconds > 0) void this.#inAgent(id, signalChildren("SIGTERM")).catch(() => {});
    const ended = await store.until(name, (pod) => endOf(observationOf(pod, clock.now())), {
      ms: seconds * 1000 + KILL_WAIT_MS,
    });
    if (ended) return ended;
    throw new RuntimeError("not_ended", "The node of the workload has not reported that it has ended.");
  }

  logs(id: string, options: LogOptions = {}): Readable {
    const { store } = this.parts;
    const hasEnded = async () => endOf(await this.observe(id)) !== undefined;
    return readPodLogs({ ...options, api: store.parts.api, path: store.path("pods", store.nameOf(id)), hasEnded });
  }

  async exec(id: string, command: readonly string[], options: ExecOptions = {}): Promise<Execution> {
    if ((await this.observe(id)).state !== "running") {
      throw new RuntimeError("not_running", "The workload does not run.");
    }
    const { env = {}, ...streams } = options;
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value}`);
    // Kubernetes has no call with variables; the image must contain `env` then.
    const words = variables.length === 0 ? command : ["env", ...variables, ...command];
    return executeInPod({ ...this.#containerOf(id, WORKLOAD_CONTAINER), ...streams, command: words });
  }

  snapshot(_id: string): Readable {
    const stream = new Readable({ read() {} });
    stream.destroy(notSupported("The files of a workload on Kubernetes cannot be read, so no checkpoint is saved."));
    return stream;
  }

  async list(): Promise<string[]> {
    return [...new Set([...(await this.parts.store.ids()), ...this.#starts.keys()])];
  }

  async remove(id: string): Promise<void> {
    const { store, clock } = this.parts;
    await this.#interrupt(id);
    const name = store.nameOf(id);
    const observed = observationOf(await store.read(name), clock.now());
    // The node of a lost workload will not confirm its end.
    const isLost = observed.state === "exited" && observed.cause === "supervisor_lost";
    await store.remove(name, isLost ? 0 : GRACE_SECONDS_MIN);
  }

  async close(): Promise<void> {
    // The next start of svc waits for their pods.
    for (const start of this.#starts.values()) start.isKept = true;
    await Promise.all([...this.#starts.keys()].map((id) => this.#interrupt(id)));
    await this.parts.store.cache.stop();
  }

  async #start(allocation: Allocation, { hasFiles, signal }: { hasFiles: boolean; signal: AbortSignal }) {
    const { store, agentImage } = this.parts;
    const { nodeId, namespace } = store.parts;
    const secretsOf = (podUid?: string) => secretManifests({ allocation, nodeId, namespace, podUid });
    const name = store.nameOf(allocation.id);
    const existing = await store.read(name);
    if (!existing && hasFiles) throw notSupported("Workloads on Kubernetes cannot start with files of a checkpoint.");
    const manifest = podManifest({ allocation, nodeId, namespace, agentImage, placement: placementOf(allocation) });
    try {
      // Before the pod, which needs them to start.
      if (!existing) await store.applySecrets(secretsOf());
      const pod = existing ?? (await store.create(manifest));
      if (!this.#hasBegun(pod)) await store.applySecrets(secretsOf(pod.metadata.uid));
      await this.#untilStarted(name, allocation, signal);
    } catch (cause) {
      if (!this.#starts.get(allocation.id)?.isKept) await store.remove(name, GRACE_SECONDS_MIN);
      throw cause;
    }
  }

  readonly #hasBegun = (pod: Parameters<typeof observationOf>[0]): boolean =>
    observationOf(pod, this.parts.clock.now()).state !== "preparing";

  async #untilStarted(name: string, { image }: Allocation, signal: AbortSignal): Promise<void> {
    const { store, retryMs = RETRY_MS } = this.parts;
    let failsSince: number | undefined;
    const isStarted = (pod: Parameters<typeof observationOf>[0]): true | undefined => {
      signal.throwIfAborted();
      const problem = pod && startProblem(pod, image.reference);
      failsSince = problem && (failsSince ?? performance.now());
      if (problem?.isFinal || performance.now() - (failsSince ?? Number.POSITIVE_INFINITY) >= retryMs) {
        throw problem?.error;
      }
      if (!pod || (pod.metadata.deletionTimestamp && !this.#hasBegun(pod))) throw interrupted();
      return this.#hasBegun(pod) || undefined;
    };
    while (!(await store.until(name, isStarted, { ms: Math.min(retryMs, WAIT_MS), signal })));
  }

  /** Ends a wait of this process for a start, and waits until nothing is left of it. */
  async #interrupt(id: string): Promise<void> {
    const start = this.#starts.get(id);
    start?.interruption.abort(interrupted());
    await start?.done.catch(() => {});
  }

  async #inAgent(id: string, command: readonly string[]): Promise<void> {
    const execution = await executeInPod({ ...this.#containerOf(id, AGENT_CONTAINER), command });
    execution.stdout.resume();
    execution.stderr.resume();
    const late = () => new Error("svc's container in the pod did not respond in time");
    const { exitCode, signal } = await withTimeout(AGENT_MS, execution.exited, late).finally(execution.end);
    if (exitCode !== 0) throw new Error(`svc's container in the pod failed: ${signal ?? `exit code ${exitCode}`}`);
  }

  #containerOf(id: string, container: string) {
    const { store, exec } = this.parts;
    return { exec, namespace: store.parts.namespace, pod: store.nameOf(id), container };
  }
}

const WAIT_MS = 60_000;

/** The device plugin of the node chooses the GPUs: only their number is passed on. */
const placementOf = ({ gpus = [] }: Allocation) =>
  gpus.length === 0 ? undefined : { gpus: { by: "device-plugin" as const, count: gpus.length } };

const endOf = (observed: Observation) =>
  observed.state === "exited" || observed.state === "absent" ? observed : undefined;

const interrupted = (): RuntimeError =>
  new RuntimeError("terminated", "The workload was terminated while it was prepared.");

const notSupported = (sentence: string): RuntimeError => new RuntimeError("not_supported", sentence);
