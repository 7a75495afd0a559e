import { randomUUID } from "node:crypto";
import os from "node:os";
import type { Logger } from "pino";
import { joinProof } from "../cloud/compute/nodes/join-token";
import { nodeMemoryMb } from "../cloud/compute/nodes/local-node";
import { nodeIdOf } from "../cloud/compute/nodes/node-id";
import { nodeIdentity } from "../cloud/compute/nodes/node-keys";
import type { Region } from "../cloud/compute/pools/regions";
import { openDataDir } from "../engines/data-dir";
import { DiskSpace } from "../engines/disk-space/disk-space";
import { GpuInventory, type GpuInventoryParts } from "../engines/runtime/nvidia/gpu-inventory";
import { readGpus } from "../engines/runtime/nvidia/read-gpus";
import { serveRuntime } from "../engines/runtime/remote/serve-runtime";
import type { Runtime } from "../engines/runtime/runtime";
import { startRuntime } from "../engines/start-runtime";
import { systemClock } from "../kernel/clock";
import { formatHostAndPort, type HostAndPort, parseHostAndPort } from "../kernel/host-and-port";
import { LOOPBACK_HOSTS } from "../kernel/loopback-hosts";
import { AgentState, type Joined } from "./agent-state";
import { fence } from "./fence";
import { join } from "./join";

export interface RunAgent {
  rootDir: string;
  dataDir: string;
  /** Joins with it; undefined: it has joined before. */
  joining: { url: string; token: string; name: string; region: Region } | undefined;
  /** Where it listens and svc reaches it; undefined: as before. */
  address: HostAndPort | undefined;
  version: string;
  /** Default: that of this node, read every 15 s. */
  gpus?: Pick<GpuInventoryParts, "driver" | "everyMs"> | undefined;
  log: Logger;
  print: (line: string) => void;
  /** Aborted when the agent is to stop; pods then keep running. */
  signal: AbortSignal;
  /** Ends this process, after which another one begins; absent: svc cannot restart it. */
  restart?: (() => void) | undefined;
  onServing?: (() => void) | undefined;
}

/** Runs the pods of an svc on another node until the signal aborts. Throws an Error that says what to do. */
export async function runAgent(options: RunAgent): Promise<void> {
  const { rootDir, dataDir, joining, log, print, signal } = options;
  const folder = openDataDir(dataDir);
  const state = new AgentState(dataDir);
  const before = state.joined();
  const url = joining?.url ?? before?.url;
  const address = options.address && formatHostAndPort(options.address);
  if (url === undefined) throw new Error("This node has not joined yet: give --url and --token.");
  const policy = { allowsLoopback: LOOPBACK_HOSTS.has(new URL(url).hostname), ownHosts: [new URL(url).host] };
  const space = await DiskSpace.open({ dir: folder.dir, log });
  const started = startRuntime({ rootDir, dataDir, policy, log, space, gpuDriver: options.gpus?.driver });
  try {
    const { runtime, reason } = await started.choice();
    if (!runtime) throw new Error(reason);
    if (runtime.disks) space.follow(runtime.disks);
    const joined = joining ? await joinAs(options, state) : before;
    if (!joined) throw new Error("This node has not joined yet: give --url and --token.");
    if (address !== undefined && address !== joined.address) {
      throw new Error(`It joined with the address ${joined.address}: to change that, join again with --token.`);
    }
    await serveUntil(signal, { ...options, joined, state, runtime, print });
  } finally {
    await started.stop();
    await space.stop();
    folder.close();
  }
}

async function joinAs({ dataDir, joining, address, version, gpus }: RunAgent, state: AgentState): Promise<Joined> {
  if (!joining || !address) throw new Error("--address is missing: where svc reaches this node, such as 10.0.0.5:7400");
  const { url, token, name, region } = joining;
  const known = state.lastKeys();
  const proof = known && joinProof(Buffer.from(known.drive_key, "base64"), token);
  const membership = await join(url, {
    token,
    proof,
    name,
    region,
    id: nodeIdOf(dataDir),
    address: formatHostAndPort(address),
    version,
    cpu: os.availableParallelism(),
    memory_mb: nodeMemoryMb(),
    gpus: await readGpus(gpus?.driver),
  });
  const joined = { ...membership, url, address: formatHostAndPort(address) };
  state.keep(joined);
  return joined;
}

interface Serving extends RunAgent {
  joined: Joined;
  state: AgentState;
  runtime: Runtime;
}

const callersOf = ({ id, generation, use_key, drive_key }: Joined) =>
  new Map(
    (["use", "drive"] as const).map((access) => [
      nodeIdentity(access, { id, generation }),
      { access, key: Buffer.from(access === "use" ? use_key : drive_key, "base64") },
    ]),
  );

async function serveUntil(signal: AbortSignal, serving: Serving): Promise<void> {
  const { joined, state, runtime, gpus, log, print, version, restart, onServing } = serving;
  const callers = callersOf(joined);
  const inventory = new GpuInventory({ ...gpus, log });
  const address = parseHostAndPort(joined.address);
  if (!address) throw new Error(`${joined.address} is no address: join again with --token.`);
  let drivenAt = state.claim()?.drivenAt ?? Date.now();
  const served = await serveRuntime({
    ...address,
    log,
    runtime: () => runtime,
    callerOf: (identity) => callers.get(identity),
    gpus: () => inventory.gpus(),
    agent: restart && { version, bootId: randomUUID(), restart },
    epoch: state.claim()?.epoch ?? 0,
    onDriven: (epoch) => {
      drivenAt = Date.now();
      state.recordDriver(epoch);
    },
  });
  print(`svc: the node ${joined.name} runs pods of ${joined.url} (${runtime.kind}); it listens on ${joined.address}`);
  onServing?.();
  await fence({ runtime, clock: systemClock, log, drivenAt: () => drivenAt }, signal);
  await served.close();
}
