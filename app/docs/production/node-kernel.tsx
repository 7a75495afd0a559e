import { CodeBlock } from "../../components/ui/code-block";
import { Code, Definitions, DocsSection } from "../docs-text";
import { SYSCTL } from "./examples";

/** What svc expects of the kernel of a node. */
export const NodeKernel = () => (
  <DocsSection id="node-kernel" title="The kernel of a node">
    <p>
      Pods of different tenants share the kernel of a node. svc gives each pod users of its own, which the kernel counts
      apart, and a share of the node&apos;s processes by its memory, at most 4,096, so that all pods together leave at
      least 8,192 to svc and the node, or a quarter where there are few. What a pod keeps in the kernel, such as open
      files, counts as its memory. Where the cores do not suffice, all pods and workers of a node together count a
      quarter of svc: they are in the control group <Code>svc-workloads</Code>, whose weight you can change while svc
      runs. The programs that start and watch them are in <Code>svc-programs</Code>, and together count as much as svc.
    </p>
    <p>
      As root, svc raises the limits of the kernel that all pods share when it starts, and logs a warning for each one
      that stays below. <Code>svc admin check</Code> lists them with what was found, what is expected and how to set it;
      its exit status is 1 if a required one is missing. Set them yourself where svc cannot, such as in a container:
    </p>
    <CodeBlock label="/etc/sysctl.d/90-svc.conf" code={SYSCTL} />
    <Definitions
      label="What svc expects"
      rows={[
        [
          "Linux 5.19",
          "or later, with the data directory on ext4, XFS or Btrfs. Before that, mounts of images cannot map ids: pods work, and share their users, so that one can use up what the kernel allows to a user, such as inotify instances, memory of pipes and message queues.",
        ],
        ["Control groups", "With the controllers cpu, memory and pids, and without cgroup.memory=nokmem."],
        ["Root", "An ordinary user can give pods no other users than itself, and no limits."],
        [
          "User ids",
          "1900000000 to 2147483647 belong to svc: files of images and volumes have the first 65,536 of them, workers of edge functions the ids after 1900100000, and each running pod 65,536 from 1900262144 on.",
        ],
        [
          "Container engines",
          "With the runtime docker, users of containers are those of the node: use an engine that remaps them, or the runtime namespaces, for tenants that do not know each other.",
        ],
      ]}
    />
  </DocsSection>
);
