import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

/** File systems that pods share. */
export const SharedVolumes = () => (
  <DocsSection id="shared-volumes" title="Shared volumes">
    <p>
      A resource of <Code>dfs</Code> is a file system on the disk of one node. Several{" "}
      <DocsLink href="/docs/pods">pods</DocsLink> and instances of its project and mode mount it at a time and see the
      same files, which stay when the pods are deleted. They name it in <Code>volumes</Code>, of which a pod has at most
      8:
    </p>
    <DocsCode label="POST /v1/pods" code={POD} language="json" />
    <p>
      With <Code>read_only</Code> the kernel refuses to write (<Code>EROFS</Code>). Such a pod runs on the node of the
      volume, and waits with the reason <Code>node_away</Code> while that does not report; a pod cannot mount volumes
      that are on different nodes. New volumes are made where the project has others, if there is room. While a pod that
      waits or runs mounts it, a volume is not deleted: 409 with the reason <Code>volume_in_use</Code>; nor while an
      instance names it, running or not: <Code>has_dependents</Code>. When the service is deactivated, pods that run
      keep it, and no other one can mount it.
    </p>
    <Definitions label="Fields of a shared volume" rows={FIELDS} />
    <p>
      A snapshot (<Code>POST /v1/resources/&lt;rid&gt;/snapshots</Code>) has all files of a volume in object storage,
      compressed; files that change meanwhile may be torn. Sockets, devices and extended attributes are left out. A
      volume has at most 20. Snapshots stay when their volume is deleted, and count toward the quota{" "}
      <Code>checkpoint_bytes</Code>. The node keeps a volume once: take snapshots of what must survive the loss of its
      disk. A volume that its node does not have any more is <Code>degraded</Code>, and never replaced by an empty one.
    </p>
    <p>
      Capacities count toward the quota <Code>volume_gb</Code>, together with the volumes of pods, and are metered by
      the second until the volume is deleted, 0.073 per GiB and 730 hours. Where no node can enforce the capacity, a
      volume is a placeholder.
    </p>
  </DocsSection>
);

const POD = `{
  "image": "python:3.12",
  "volumes": [{ "volume": "res_…", "mount_path": "/shared", "read_only": false }]
}`;

const FIELDS = [
  [
    "capacity_gb",
    "1 to 4096 GiB; writes beyond it fail with ENOSPC. It can grow, not shrink. Where the kernel of the node does not permit that while pods have the volume, it is failed with the reason volume_busy, and grows when they have ended",
  ],
  [
    "throughput_mbps",
    "MB/s that all pods together read, and as many that they write; a limit where the node has version 1 of the control group blkio, otherwise observed.throughput_enforced is false. What is in the memory of the node is not counted",
  ],
  ["subnet_id", "A vpc, or a subnet of one (<vpc>/<name>), whose pods alone can mount it; the volume is on its node"],
  ["snapshot_id", "A snapshot of the project and mode, with whose files it begins"],
] as const;
