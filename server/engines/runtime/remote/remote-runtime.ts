import { type Duplex, PassThrough, Readable } from "node:stream";
import type { MachineGpu } from "../nvidia/read-gpus";
import type {
  Allocation,
  ExecOptions,
  Execution,
  LogOptions,
  Observation,
  PrefetchedImage,
  PrefetchOptions,
  Runtime,
  RuntimeCapabilities,
  StartReport,
} from "../runtime";
import { connectRemotely } from "./connect-remotely";
import { executeRemotely } from "./execute-remotely";
import { type LinkOptions, RuntimeLink, unreachable } from "./runtime-link";
import { encodeHead } from "./wire";

/** Beyond the grace: a process that SIGKILL does not end is reported after 30 s. */
const TERMINATE_EXTRA_MS = 45_000;

/**
 * The workloads of a runtime that another process serves. Every method can also reject, and every stream fail, with
 * `unavailable`, after which it may be repeated.
 */
export class RemoteWorkloads implements Pick<Runtime, "observe" | "logs" | "exec" | "connect" | "snapshot"> {
  constructor(readonly link: RuntimeLink) {}

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

/** The runtime of another machine; rejects with `unavailable` if it cannot be reached. */
export async function openRemoteRuntime(options: LinkOptions): Promise<RemoteRuntime> {
  const link = new RuntimeLink(options);
  try {
    return new RemoteRuntime(link, await capabilitiesOf(link));
  } catch (cause) {
    link.close();
    throw cause;
  }
}

const capabilitiesOf = (link: RuntimeLink) => link.call<RuntimeCapabilities>("GET", "/runtime");

/** Drives the runtime of another machine. */
export class RemoteRuntime extends RemoteWorkloads implements Runtime {
  readonly kind: Runtime["kind"];
  readonly isolation: string;
  readonly limitsEnforced: boolean;
  readonly gpu: Runtime["gpu"];
  readonly snapshots?: false;
  readonly ports?: false;
  readonly imageCacheBytes?: number;

  constructor(link: RuntimeLink, capabilities: RuntimeCapabilities) {
    super(link);
    const { kind, isolation, limitsEnforced, gpu, snapshots, ports, imageCacheBytes } = capabilities;
    if (imageCacheBytes !== undefined) this.imageCacheBytes = imageCacheBytes;
    if (snapshots === false) this.snapshots = snapshots;
    if (ports === false) this.ports = ports;
    this.kind = kind;
    this.isolation = isolation;
    this.limitsEnforced = limitsEnforced;
    this.gpu = gpu;
  }

  /** Rejects with `unavailable` if the machine cannot be reached, or the claim is no longer the newest one. */
  async check(): Promise<void> {
    await capabilitiesOf(this.link);
  }

  async ensure(allocation: Allocation, { restore }: { restore?: Readable | undefined } = {}): Promise<StartReport> {
    restore?.on("error", () => {});
    const path = `${pathOf(allocation.id)}${restore ? "?restore" : ""}`;
    try {
      const body = Readable.from(bodyOf(allocation, restore));
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

  /** The GPUs of the machine. */
  async gpus(): Promise<MachineGpu[]> {
    return (await this.link.call<{ gpus: MachineGpu[] }>("GET", "/gpus")).gpus;
  }

  async list(): Promise<string[]> {
    return (await this.link.call<{ ids: string[] }>("GET", "/workloads")).ids;
  }

  async remove(id: string): Promise<void> {
    await this.link.call("DELETE", pathOf(id), { timeoutMs: TERMINATE_EXTRA_MS });
  }
}

const pathOf = (id: string): string => `/workloads/${encodeURIComponent(id)}`;

async function* bodyOf(allocation: Allocation, restore: Readable | undefined): AsyncGenerator<Buffer> {
  yield encodeHead(allocation);
  if (restore) yield* restore;
}

function logQuery({ follow, tailBytes }: LogOptions = {}): URLSearchParams {
  return new URLSearchParams({
    ...(follow && { follow: "" }),
    ...(tailBytes !== undefined && { tail_bytes: String(tailBytes) }),
  });
}

/** The body of a response; a failure of the connection is one of the stream. */
function streamOf(link: RuntimeLink, path: string): Readable {
  const output = new PassThrough();
  link.open("GET", path).then(
    (response) => {
      response.once("error", (cause) => output.destroy(unreachable(cause)));
      output.once("close", () => response.destroy());
      if (output.destroyed) response.destroy();
      else response.pipe(output);
    },
    (cause: Error) => output.destroy(cause),
  );
  return output;
}

type Wire<T> = { [K in keyof T]: T[K] extends Date ? string : T[K] };

function toObservation(sent: Wire<Observation>): Observation {
  const dates = ["startedAt", "exitedAt"].flatMap((name): [string, Date][] => {
    const value = (sent as Record<string, unknown>)[name];
    return typeof value === "string" ? [[name, new Date(value)]] : [];
  });
  return { ...sent, ...Object.fromEntries(dates) } as Observation;
}
