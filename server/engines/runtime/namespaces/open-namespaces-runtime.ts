import { randomUUID } from "node:crypto";
import { mkdir, readdir } from "node:fs/promises";
import path from "node:path";
import type { Clock } from "../../../kernel/clock";
import type { AddressPolicy } from "../../address-policy";
import type { Network } from "../../guarded-fetch";
import { openOutboundSocket } from "../network/outbound-socket";
import { type GpuDriver, NODE_DRIVER } from "../nvidia/gpu-driver";
import { ociArchitecture } from "../oci/image-documents";
import { LayerCache } from "../oci/layer-cache";
import type { PrefetchParts } from "../oci/prefetch-image";
import { PrefetchedImages } from "../oci/prefetched-images";
import { PullTurns } from "../oci/pull-turns";
import { Cgroups } from "./cgroups";
import { deleteFolder } from "./delete-folder";
import { raiseKernelLimits } from "./kernel-limits";
import { NamespacesRuntime } from "./namespaces-runtime";
import { writeMarks } from "./overlay-marks";
import { PrivateNetworks } from "./private-networks";
import { type ProbeNamespaces, probeNamespaces } from "./probe-namespaces";
import { VolumeStore } from "./volume-store";
import { deleteDisk, probeDisk } from "./workload-disk";
import { WorkloadDisks } from "./workload-disks";
import { WorkloadFolder } from "./workload-folder";
import { idBaseOf, type WorkloadIds, workloadIds } from "./workload-ids";

export interface OpenNamespacesRuntime {
  /** The folder that contains package.json. */
  rootDir: string;
  /** Absolute; one process at a time. */
  dir: string;
  policy: AddressPolicy;
  network?: Network | undefined;
  /** What workloads reach; tests pass their own. */
  outboundNetwork?: Network | undefined;
  clock: Clock;
  /** Throws while the disk of `dir` has no room for so many bytes. */
  assertRoom?: ((bytes: number) => void) | undefined;
  /** See `PrepareParts`. */
  beforeLaunch?: ((disk: string) => Promise<void>) | undefined;
  /** Also limits what one layer may contain. */
  cacheBytesMax: number;
  /** Default: that of this node. */
  gpuDriver?: GpuDriver | undefined;
  /** Receives a sentence if limits are not enforced. */
  onWarning: (sentence: string) => void;
}

/** Images for machine learning have about 100,000 files. */
const LAYER_ENTRIES_MAX = 1_000_000;
const CGROUP_ROOT = "/sys/fs/cgroup";

/** A runtime that has just run a trivial workload; throws an Error with the reason if it cannot. */
export async function openNamespacesRuntime(options: OpenNamespacesRuntime): Promise<NamespacesRuntime> {
  if (process.platform !== "linux") throw new Error("it needs Linux");
  const { rootDir, dir, policy, network, cacheBytesMax: bytesMax } = options;
  const scripts = path.join(rootDir, "server/engines/perl");
  const workloads = path.join(dir, "workloads");
  await mkdir(workloads, { recursive: true, mode: 0o700 });
  // An ordinary user's workloads are limited by what the node gives to that user.
  if (process.getuid?.() === 0) for (const problem of await raiseKernelLimits()) options.onWarning(problem);
  const opened = await Cgroups.open(CGROUP_ROOT, workloads);
  if (typeof opened === "string") options.onWarning(opened);
  const cgroups = typeof opened === "string" ? undefined : opened;
  const architecture = ociArchitecture(process.arch);
  await deleteTrials(workloads, cgroups);
  const noDisks = await probeDisk(new WorkloadFolder(path.join(workloads, `.disk-${randomUUID()}`)));
  if (noDisks !== undefined) options.onWarning(noDisks);
  const ids = await usableIds({ scripts, dir: workloads, architecture, cgroups }, options.onWarning);
  const cache = await openCache(options, workloads);
  const hasDisks = noDisks === undefined;
  const idBase = idBaseOf(ids);
  const write: PrefetchParts["writeMarks"] = (root, marks) => writeMarks(scripts, root, marks);
  const networkParts = { scripts, dir: path.join(dir, "networks"), workloads };
  const noNetworks = await PrivateNetworks.probe(networkParts);
  if (noNetworks !== undefined) options.onWarning(noNetworks);
  const networks = new PrivateNetworks(networkParts, (workload) => outbound.proxy.endOf(workload));
  const outbound = await openOutboundSocket(dir, {
    network: options.outboundNetwork,
    hasEgress: (workload) => networks.hasEgress(workload),
  });
  const disks = new WorkloadDisks({ workloads, volumes: path.join(dir, "volumes") });
  const workloadUses = () => disks.workloadUses();
  const runtime = new NamespacesRuntime({
    dir: workloads,
    outbound,
    networks: noNetworks === undefined ? networks : undefined,
    scripts,
    cgroups,
    ids,
    hasDisks,
    beforeLaunch: options.beforeLaunch,
    disks,
    volumes: new VolumeStore({ dir: path.join(dir, "volumes"), hasDisks, idBase, writeMarks: write, workloadUses }),
    gpuDriver: options.gpuDriver ?? NODE_DRIVER,
    pull: {
      cache,
      prefetched: new PrefetchedImages(options.clock),
      policy,
      network,
      architecture,
      turns: new PullTurns(bytesMax),
      limits: {
        downloadBytesMax: bytesMax,
        bytesMax,
        entriesMax: LAYER_ENTRIES_MAX,
        assertRoom: options.assertRoom,
      },
      idBase,
      writeMarks: write,
    },
  });
  await runtime.takeOver();
  return runtime;
}

/** With ids of its own for each workload where the kernel has what that needs. Throws what `probeNamespaces` throws. */
async function usableIds(
  probe: Omit<ProbeNamespaces, "ids">,
  onWarning: OpenNamespacesRuntime["onWarning"],
): Promise<WorkloadIds> {
  const ids = workloadIds(process.getuid?.() ?? 0);
  const problem = await probeNamespaces({ ...probe, ids }).catch((cause: Error) => cause);
  if (!problem) return ids;
  if (!ids.areOwn) throw problem;
  const shared = { ...ids, areOwn: false };
  await probeNamespaces({ ...probe, ids: shared });
  onWarning(
    `workloads share the kernel's users and what it allows to each of them: mounts cannot map ids here, which needs Linux 5.19 and a data folder on ext4, xfs or btrfs (${problem.message})`,
  );
  return shared;
}

/** What an earlier process left of its trials; their names begin with a dot. */
async function deleteTrials(workloads: string, cgroups: Cgroups | undefined): Promise<void> {
  const names = (await readdir(workloads)).filter((name) => name.startsWith("."));
  for (const name of names) {
    await cgroups?.remove(name.slice(1));
    await deleteDisk(new WorkloadFolder(path.join(workloads, name)));
  }
}

async function openCache({ dir, cacheBytesMax, clock }: OpenNamespacesRuntime, workloads: string): Promise<LayerCache> {
  const cache = new LayerCache({
    dir: path.join(dir, "layers"),
    bytesMax: cacheBytesMax,
    clock,
    deleteFolder,
    inUse: async () => {
      const names = await readdir(workloads);
      const layers = await Promise.all(names.map((name) => new WorkloadFolder(path.join(workloads, name)).layers()));
      return new Set(layers.flat().map((folder) => LayerCache.keyOf(folder)));
    },
  });
  await cache.open();
  return cache;
}
