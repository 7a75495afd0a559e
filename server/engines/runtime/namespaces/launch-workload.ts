import ipaddr from "ipaddr.js";
import { launchSupervisor } from "../launch-supervisor";
import { DIRECT, OUTBOUND_FROM_WORKLOAD, PROXY_PORT, PROXY_VARIABLES } from "../network/proxy-port";
import type { GpuFiles } from "../nvidia/gpu-files";
import type { Allocation } from "../runtime";
import type { Cgroup } from "./cgroups";
import type { NetworkPlace } from "./private-networks";
import type { WorkloadProgram } from "./program-of";
import type { VolumeMount } from "./volume-store";
import type { WorkloadFolder } from "./workload-folder";
import { idsField, type WorkloadIds } from "./workload-ids";

export interface LaunchWorkload {
  scripts: string;
  folder: WorkloadFolder;
  allocation: Allocation;
  program: WorkloadProgram;
  /** How many layers the image has; the folder names them. */
  layers: number;
  /** In a private network; undefined: it is in none. */
  place?: NetworkPlace | undefined;
  cgroup: Cgroup | undefined;
  /** Of its files. */
  ids: WorkloadIds;
  /** Of its GPUs; undefined: it has none. */
  files?: GpuFiles | undefined;
  /** Of its volumes. */
  mounts: readonly VolumeMount[];
}

/**
 * Starts the supervisor of a workload, which survives this process; resolves when the program runs. Throws
 * `start_failed` with its sentence.
 */
export const launchWorkload = (launch: LaunchWorkload): Promise<void> =>
  launchSupervisor({
    scripts: launch.scripts,
    folder: launch.folder,
    logBytesMax: launch.allocation.logBytesMax,
    fields: fieldsOf(launch),
  });

const NETWORK_FIELDS: readonly [string, string][] = [
  ["proxy", String(PROXY_PORT)],
  ["outbound", OUTBOUND_FROM_WORKLOAD],
  ...PROXY_VARIABLES.map((variable): [string, string] => ["env", variable]),
];

function fieldsOf({ allocation, program, ...launch }: LaunchWorkload): [string, string][] {
  const { layers, cgroup, ids, files, mounts, place } = launch;
  const { id, hostname = id } = allocation;
  return [
    ["hostname", hostname],
    ["ids", idsField(ids)],
    ...(ids.areOwn ? [["own_ids", "1"] as [string, string]] : []),
    // The overlay wants the uppermost layer first.
    ...Array.from({ length: layers }, (_, index): [string, string] => ["layer", String(layers - 1 - index)]),
    ...(cgroup?.folders ?? []).map((path): [string, string] => ["cgroup", path]),
    ...(cgroup ? [["oom", cgroup.oomFile] as [string, string]] : []),
    ...mounts.map((mount): [string, string] => ["volume", volumeField(mount)]),
    ...(files?.devices ?? []).map((file): [string, string] => ["device", file]),
    ...[...(files?.driver ?? [])].map(([name, file]): [string, string] => ["driver", `${name}=${file}`]),
    // Before the variables of the image and of the allocation, which replace them.
    ...(allocation.network === "http" ? NETWORK_FIELDS : []),
    ...(place ? placeFields(place) : []),
    ["user", program.user],
    ["cwd", program.workingDir],
    ...program.command.map((part): [string, string] => ["command", part]),
    ...program.env.map((variable): [string, string] => ["env", variable]),
  ];
}

/** Clients of HTTP use no proxy for the addresses of the network, and for names that end with `.internal`. */
function placeFields({ file, address, prefixLength }: NetworkPlace): [string, string][] {
  const direct = `${DIRECT},.internal,${ipaddr.IPv4.networkAddressFromCIDR(`${address}/${prefixLength}`)}/${prefixLength}`;
  return [
    ["network", file],
    ["address", address],
    ["prefix", String(prefixLength)],
    ...["NO_PROXY", "no_proxy"].map((name): [string, string] => ["env", `${name}=${direct}`]),
  ];
}

/** Paths of volumes have no `=`. */
const volumeField = ({ path, source, readOnly }: VolumeMount): string =>
  `${readOnly === true ? "ro" : "rw"}=${path}=${source}`;
