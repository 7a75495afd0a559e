import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";
import { USER_DATA } from "./examples";

/** GPU, CPU and baremetal instances. */
export const Instances = () => (
  <DocsSection id="instances" title="Instances">
    <p>
      Resources of <Code>gpu</Code>, <Code>cpu</Code> and <Code>baremetal</Code> are instances. Behind each is a{" "}
      <DocsLink href="/docs/pods">pod</DocsLink>, whose id is <Code>observed.pod_id</Code>: use it for a shell, programs
      and output. An instance runs until you stop or delete it, and reaches public addresses by HTTP and HTTPS only.
    </p>
    <Definitions label="Fields of an instance" rows={FIELDS} />
    <DocsCode label="Body" code={USER_DATA} language="json" />
    <p>
      <Code>POST /v1/instances/&lt;rid&gt;/stop</Code> sends SIGTERM to its processes, and after 30 seconds SIGKILL;{" "}
      <Code>…/start</Code> starts it again with its files, if the node that starts it has them. Both set{" "}
      <Code>running</Code> of the spec. Besides, only its <Code>ports</Code> can change (422 with the reason{" "}
      <Code>fixed_spec</Code>
      ): create another instance.
    </p>
    <p>
      An instance is metered by the second while it runs, at the price of a pod of the same GPUs, cores and memory, and
      is on the <DocsLink href="/docs/billing">usage and invoices</DocsLink> as a pod. A stopped one costs nothing.{" "}
      <Code>GET /v1/skus</Code> lists prices, and <Code>GET /v1/resources/usage</Code> what each resource used, deleted
      ones included.
    </p>
  </DocsSection>
);

const FIELDS = [
  ["sku", "H100, H200, B200, B300, A100 or L40S for gpu and baremetal; Genoa, Turin or Emerald for cpu"],
  [
    "image_id",
    "debian-12, ubuntu-22.04, ubuntu-24.04, alpine-3, python-3.12, cuda-12 or pytorch-2, or the name of any image that has /bin/sh",
  ],
  ["registry_credentials", "Of a private image, as those of a pod: the key needs secrets:reveal"],
  ["gpu_count", "Of gpu: how many GPUs, default 1. A baremetal instance has all GPUs of a node"],
  ["region", "Of gpu and baremetal, default use"],
  [
    "purchase_option",
    "on_demand or, with GPUs, spot: cheaper, but ended with 30 seconds of notice when others need its GPUs, and started again later. reserved_1y uses GPUs of a reservation of 365 days that has room, which pays for them; reserved_3y is only planned",
  ],
  [
    "user_data",
    "A script for /bin/sh, or a program that begins with #!, which runs once, at the first start. Reads, events and the audit log show [redacted] in its place; the same text in an update keeps it",
  ],
  ["tags", "Names and values of your own"],
  ["cpu, memory_mb", "Cores and MiB of memory, default 2 and 2048"],
  [
    "ports",
    "TCP ports that can be reached from outside, at most 8: through svc as those of a pod, or by a public port (eip). They can change at any time; all others are reached from its own network only",
  ],
  ["running", "false: it is stopped"],
] as const;
