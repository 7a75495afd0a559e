import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";
import { ESTIMATE, GANG } from "./examples";

/** Where pods with GPUs are placed, and in which order. */
export const Placing = () => (
  <>
    <Gpus />
    <GpuNodes />
    <PurchaseModes />
    <Estimates />
    <Gangs />
  </>
);

const Gpus = () => (
  <DocsSection id="gpus" title="GPUs">
    <p>
      With a test key GPUs are simulated: <Code>gpu</Code>, <Code>gpu_count</Code> and <Code>region</Code> choose
      devices of a simulated fleet, which are held, counted against quotas and released as real ones would be; the
      process is real, but has no GPU, and the record says <Code>simulated</Code>. With a live key a pod gets{" "}
      <DocsLink href="#gpu-nodes">GPUs of a node</DocsLink>; if no node of the installation has such GPUs in the region,
      it is 503 with the reason <Code>no_capacity</Code>. All GPUs of a pod are on one node, which also has its cores
      and its memory; nodes are chosen so that large pods still fit later. A pod that does not fit waits, and does not
      keep later, smaller ones from what is free; a <DocsLink href="#gangs">gang</DocsLink> does after 5 minutes. With{" "}
      <Code>reservation_id</Code> a pod runs on the GPUs of a <DocsLink href="/docs/reservations">reservation</DocsLink>
      , which pays for them.
    </p>
  </DocsSection>
);

const GpuNodes = () => (
  <DocsSection id="gpu-nodes" title="Real GPUs">
    <p>
      A pod of a live key with GPUs runs on the node that has them. Of its GPUs it has the device files in{" "}
      <Code>/dev</Code>, and of no other; the CUDA libraries of the node&apos;s driver and <Code>nvidia-smi</Code> are
      in <Code>/usr/local/nvidia</Code>, which <Code>LD_LIBRARY_PATH</Code> and <Code>PATH</Code> name, so an image
      needs CUDA but no driver. <Code>NVIDIA_VISIBLE_DEVICES</Code> has the UUIDs. <Code>runtime.gpu</Code> of the
      record is <Code>nvidia</Code>, and <Code>GET /v1/gpu-pools</Code> lists these pools with{" "}
      <Code>&quot;simulated&quot;: false</Code>.
    </p>
    <p>
      For operators: svc offers the GPUs that <Code>nvidia-smi</Code> reports on the nodes of its workers and on those
      that have joined, H100, H200, B200, B300, GB200, GB300, A100 and L40S; it reads them every 15 seconds. GPUs with
      MIG, other models and GPUs with an error (uncorrected ECC errors, pages to retire, a GPU that the driver has lost)
      are not offered. svc does not read Xid errors from the kernel&apos;s log: report them with{" "}
      <Code>admin node-health</Code>. The region is <Code>--region</Code> of <Code>svc node join</Code>, by default{" "}
      <Code>use</Code>, where the nodes of workers are too. The pools are named like <Code>use/h100/live</Code>. A node
      that does not report for 20 seconds is cordoned until it reports again; after 10 minutes without a report or a pod
      it is no longer listed. Containers get GPUs through CDI or NVIDIA&apos;s container runtime, whichever Docker
      reports. On Kubernetes, and with engines that report neither, svc offers none. None of this has been run on a node
      with a GPU yet: it is proved with doubles of <Code>nvidia-smi</Code> and of the device files.
    </p>
  </DocsSection>
);

const PurchaseModes = () => (
  <DocsSection id="purchase-modes" title="On-demand and spot">
    <p>
      Without <Code>spot</Code> a pod is on demand: no other pod takes its GPUs, and they count against the quota of the
      region. A pod with <Code>&quot;spot&quot;: true</Code> is cheaper, runs on any GPUs that are idle, and counts
      against no quota of GPUs. When an on-demand pod fits nowhere, spot pods of one node are given 30 seconds of
      notice: they are <Code>reclaiming</Code>, and <Code>reclaim</Code> of the record says when they end. No more GPUs
      are taken than needed, if that is possible, and then those whose work is the least: GPUs × seconds since the start
      or the last checkpoint; a pod of a gang counts with its whole gang. A spot pod that is placed but does not run yet
      waits again at once.
    </p>
    <p>
      The GPUs are then kept for the pod that waits, whose <Code>status_reason</Code> is <Code>reclaiming_spot</Code>,
      and no other pod gets them. On-demand pods are placed before spot pods. Of each kind, a pod of the tenant that
      holds the fewest GPUs of the pool for its weight is next, and of a tenant the oldest, so that a tenant with many
      pods does not keep out one with few. The weight is 1; the operator can set another one, up to 1,000, as the limit{" "}
      <Code>gpu_share_weight</Code>, and a tenant with 2 then gets twice the GPUs of one with 1.
    </p>
    <Definitions
      label="Why a pod is pending"
      rows={[
        ["no_gpus", "No node has the free GPUs, cores and memory; the sentence says what is missing"],
        ["reclaiming_spot", "It waits for the GPUs of spot pods that have been given notice"],
        ["gang_incomplete", "Pods of its gang do not exist yet, or are ending after a notice"],
        ["capacity_needed", "A spot pod whose GPUs were taken before it ran"],
        ["node_draining", "Its node is drained for maintenance, and it waits for GPUs of another node"],
        ["node_upgrading", "Your upgrade of its node is not complete; it comes back there"],
        ["no_memory", "No node has the memory free"],
        ["no_disk", "No node has 256 MiB of disk free for it, or the disk for its volume"],
        ["volume_away", "The node with its volume does not report, and no checkpoint has all of it"],
        ["node_away", "The node with a shared volume that it mounts does not report"],
        ["no_node", "No node that runs pods is running"],
      ]}
    />
    <p>
      <Code>GET …/explanation</Code>, or <Code>svc pods explain pod_…</Code>, says more about a pod that waits: its
      position, the expected wait, and the nearest shapes that would be placed now beside it, within the quotas, without
      a reclaim. <Code>basis</Code> of the expected wait says whether it follows from pods that are ending or is a
      median of the last 7 days, and <Code>samples</Code> of how many; with fewer than 3 it is null. For a{" "}
      <a href="#gangs">gang</a> it is the time until all its pods fit together, by ends that are known alone: of pods
      that are ending, of lifetimes and of reservations, and the notice of spot pods that are given up for it. It is
      null while pods of the gang are missing, while others are before it, and where no known end makes room. The
      dashboard shows the same on the page of the pod.
    </p>
  </DocsSection>
);

const Estimates = () => (
  <DocsSection id="estimates" title="Estimates">
    <p>
      <Code>POST /v1/pods/estimate</Code> takes what the creation of a pod takes, without <Code>image</Code> if you
      like, and says what would happen at this moment. It needs <Code>pods:read</Code>, creates nothing and reserves
      nothing, so others can take what fits.
    </p>
    <DocsCode label="Shell" code={ESTIMATE} language="bash" />
    <p>
      <Code>fits_now</Code> says whether the pod would be placed at once. If not, <Code>blocked_by</Code> has the reason
      with which it would wait, or why it cannot be created, such as <Code>quota_exceeded</Code> or{" "}
      <Code>reservation_full</Code>; wrong input fails as the creation does. <Code>price</Code> compares on demand, spot
      and both terms of a reservation for the same shape. <Code>expected_wait</Code> is that of a pod that would come
      last in the queue, and <Code>nearest_shapes</Code> are shapes that fit now. With <Code>gang</Code> all the pods
      that the gang lacks must fit together. The form of the dashboard shows the same while you fill it in.
    </p>
  </DocsSection>
);

const Gangs = () => (
  <DocsSection id="gangs" title="Gangs">
    <p>
      The workers of one training are of use only together. Pods that are created with the same <Code>gang</Code>, a
      name and a size, wait until so many of them exist and are then placed all at once, or none of them: no GPU is held
      while another pod of the gang fits nowhere. They are alike in GPUs, region, cores, memory, <Code>spot</Code>,{" "}
      <Code>auto_resume</Code> and <Code>reservation_id</Code>; a pod that differs, or is one too many, is a conflict.
      On GB200 and GB300 a gang that a rack can hold is placed in one rack, and so in one NVLink domain.
    </p>
    <DocsCode label="Shell" code={GANG} language="bash" />
    <p>
      A gang counts as a whole against quotas and its reservation while one of its pods is pending: its first pod is
      refused with <Code>quota_exceeded</Code> or <Code>reservation_full</Code> if all of them would not fit, and the
      others cannot be refused for want of GPUs. So of two gangs that fit only one after the other, one has all of its
      pods and the other one none. Of volumes, each missing pod counts with the smallest one of the gang.
    </p>
    <p>
      Small pods do not keep a gang waiting forever. An on-demand gang that fits without the spot pods of some nodes
      gives them notice, as a single pod does. One that has waited for 5 minutes has GPUs kept for it, on the nodes
      where the fewest are missing: what becomes free there goes to no other on-demand pod, unless that pod reaches the
      end of its 30 days within an hour, and before those that the gang waits for. Spot pods may use it until then. For
      a spot gang GPUs are kept from other spot pods only. One gang of a pool has this at a time;{" "}
      <Code>status_reason</Code> of its pods names the nodes, <Code>gang_keep</Code> of the pool and its picture in the
      dashboard too, and other pods that wait say that GPUs are kept. A new reservation can still take them, and pods
      without GPUs memory of the node.
    </p>
    <p>
      A spot gang is reclaimed as a whole: all its pods have the same 30 seconds of notice, each has its checkpoint, and
      with <Code>auto_resume</Code> they wait and are placed together again. A gang with a{" "}
      <DocsLink href="/docs/reservations">reservation</DocsLink> runs on its GPUs, whose number counts as its own from
      the creation of its pods on; no nodes are kept for it there, so other pods of the reservation can delay it. A pod
      of a gang that starts again counts the others that wait or run, and is placed with all that wait.
    </p>
  </DocsSection>
);
