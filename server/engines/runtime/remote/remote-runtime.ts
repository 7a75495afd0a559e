import { type Duplex, Readable } from "node:stream";
import type { ExecOptions, Execution } from "../execution";
import type { DetectedGpu } from "../nvidia/read-gpus";
import type {
  Allocation,
  LogOptions,
  Observation,
  PrefetchedImage,
  PrefetchOptions,
  Runtime,
  StartReport,
} from "../runtime";
import type { RuntimeNetworks } from "../runtime-networks";
import type { RuntimeVolumes } from "../runtime-volumes";
import { connectRemotely } from "./connect-remotely";
import { executeRemotely } from "./execute-remotely";
import { RemoteVolumes } from "./remote-volumes";
import { type LinkOptions, RuntimeLink } from "./runtime-link";
import { bodyOf, streamOf } from "./streams";
import type { AgentProcess, RemoteCapabilities } from "./wire";
import { wireAllocation } from "./wire-allocation";

/** Beyond the grace: a process that SIGKILL does not end is reported after 30 s. */
const TERMINATE_EXTRA_MS = 45_000;

/**
 * The workloads of a runtime that another process serves. Every method can also reject, and every stream fail, with
 * `unavailable`, after which it may be repeated.
 */
export class RemoteWorkloads implements Pick<Runtime, "observe" | "logs" | "exec" | "connect" | "snapshot"> {
  readonly volumes: Pick<RuntimeVolumes, "snapshot"> | undefined;

  constructor(readonly link: RuntimeLink) {
    this.volumes = new RemoteVolumes(link);
  }

  async observe(id: string): Promise<Observation> {
    return toObservation(await this.link.call("GET", pathOf(id)));
  }

  logs(id: string, options?: LogOptions): Readable {
    return streamOf(this.link, `${pathOf(id)}/logs?${logQuery(options)}`);
  }

  exec(id: string, command: readonly string[], options?: ExecOptions): Promise<Execution> {
    return executeRemotely(this.link, { id, command, ...options });
  }

  connect(id: string, port: number): Promise<Duplex> {
    return connectRemotely(this.link, { id, port });
  }

  snapshot(id: string): Readable {
    return streamOf(this.link, `${pathOf(id)}/snapshot`);
  }

  async close(): Promise<void> {
    this.link.close();
  }
}

/** The runtime of another node; rejects with `unavailable` if it cannot be reached. */
export async function openRemoteRuntime(options: LinkOptions): Promise<RemoteRuntime> {
  const link = new RuntimeLink(options);
  try {
    return new RemoteRuntime(link, await capabilitiesOf(link));
  } catch (cause) {
    link.close();
    throw cause;
  }
}

const capabilitiesOf = (link: RuntimeLink) => link.call<RemoteCapabilities>("GET", "/runtime");

/** Drives the runtime of another node. */
export class RemoteRuntime extends RemoteWorkloads implements Runtime {
  readonly kind: Runtime["kind"];
  readonly isolation: string;
  readonly limitsEnforced: boolean;
  readonly gpu: Runtime["gpu"];
  readonly snapshots?: false;
  readonly ports?: false;
  readonly imageCacheBytes?: number;
  override readonly volumes: RuntimeVolumes | undefined;
  readonly networks: RuntimeNetworks | undefined;
  readonly mountsVolumes: boolean;

  constructor(link: RuntimeLink, capabilities: RemoteCapabilities) {
    super(link);
    const { kind, isolation, limitsEnforced, gpu, snapshots, ports, imageCacheBytes, volumesEnforced } = capabilities;
    this.volumes = volumesEnforced === undefined ? undefined : new RemoteVolumes(link, volumesEnforced);
    this.mountsVolumes = capabilities.mountsVolumes === true;
    if (capabilities.privateNetworks === true) this.networks = networksOver(link, capabilities.listsNetworks === true);
    if (imageCacheBytes !== undefined) this.imageCacheBytes = imageCacheBytes;
    if (snapshots === false) this.snapshots = snapshots;
    if (ports === false) this.ports = ports;
    this.kind = kind;
    this.isolation = isolation;
    this.limitsEnforced = limitsEnforced;
    this.gpu = gpu;
  }

  /** Rejects with `unavailable` if the node cannot be reached, or the claim is no longer the newest one. */
  async check(): Promise<void> {
    await capabilitiesOf(this.link);
  }

  async ensure(allocation: Allocation, { restore }: { restore?: Readable | undefined } = {}): Promise<StartReport> {
    restore?.on("error", () => {});
    const path = `${pathOf(allocation.id)}${restore ? "?restore" : ""}`;
    try {
      const body = Readable.from(bodyOf(wireAllocation(allocation, this), restore));
      // An agent of an earlier version does not tell.
      const { pulledBytes = null } = await this.link.call<Partial<StartReport>>("PUT", path, { body, timeoutMs: 0 });
      return { pulledBytes };
    } finally {
      restore?.destroy();
    }
  }

  async prefetch(reference: string, { bytesMax, signal }: PrefetchOptions): Promise<PrefetchedImage> {
    return this.link.call("POST", "/images", { json: { reference, bytesMax }, signal, timeoutMs: 0 });
  }

  async signal(id: string, signal: NodeJS.Signals): Promise<void> {
    await this.link.call("POST", `${pathOf(id)}/signal`, { json: { signal } });
  }

  async notify(id: string, name: string, contents: string): Promise<void> {
    await this.link.call("POST", `${pathOf(id)}/notify`, { json: { name, contents } });
  }

  async terminate(id: string, graceSeconds: number): Promise<Observation> {
    const timeoutMs = graceSeconds * 1000 + TERMINATE_EXTRA_MS;
    return toObservation(
      await this.link.call("POST", `${pathOf(id)}/terminate`, { json: { graceSeconds }, timeoutMs }),
    );
  }

  /** The GPUs of the node. */
  async gpus(): Promise<DetectedGpu[]> {
    return (await this.link.call<{ gpus: DetectedGpu[] }>("GET", "/gpus")).gpus;
  }

  /** The process that serves it; undefined: it does not tell, as in earlier versions. */
  async agent(): Promise<AgentProcess | undefined> {
    const told = await this.link.call<Partial<AgentProcess>>("GET", "/agent").catch(() => undefined);
    const { version, bootId } = told ?? {};
    return typeof version === "string" && typeof bootId === "string" ? { version, bootId } : undefined;
  }

  /** Lets another process serve it, unless one already does that has not this boot id. Returns whether it ends. */
  async restart(bootId: string): Promise<boolean> {
    return (await this.link.call<{ restarting: boolean }>("POST", "/restart", { json: { bootId } })).restarting;
  }

  async list(): Promise<string[]> {
    return (await this.link.call<{ ids: string[] }>("GET", "/workloads")).ids;
  }

  async remove(id: string): Promise<void> {
    await this.link.call("DELETE", pathOf(id), { timeoutMs: TERMINATE_EXTRA_MS });
  }
}

const pathOf = (id: string): string => `/workloads/${encodeURIComponent(id)}`;

function logQuery({ follow, tailBytes }: LogOptions = {}): URLSearchParams {
  return new URLSearchParams({
    ...(follow && { follow: "" }),
    ...(tailBytes !== undefined && { tail_bytes: String(tailBytes) }),
  });
}

type Wire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] };

function toObservation(sent: Wire<Observation>): Observation {
  const dates = ["startedAt", "exitedAt"].flatMap((name): [string, Date][] => {
    const value = (sent as Record<string, unknown>)[name];
    return typeof value === "string" ? [[name, new Date(value)]] : [];
  });
  return { ...sent, ...Object.fromEntries(dates) } as Observation;
}

const networksOver = (link: RuntimeLink, areListed: boolean): RuntimeNetworks => ({
  apply: async (networks) => void (await link.call("PUT", "/networks", { json: { networks } })),
  unused: async () => (areListed ? (await link.call<{ ids: string[] }>("GET", "/networks")).ids : []),
  remove: async (id) => void (await link.call("DELETE", `/networks?id=${encodeURIComponent(id)}`)),
});
