import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsSection } from "../docs-text";
import { VOLUME } from "./examples";

export const Volumes = () => (
  <DocsSection id="volumes" title="Volumes">
    <p>
      A <Code>volume</Code> is a disk of the pod, at <Code>/workspace</Code> or another <Code>mount_path</Code>. It is
      made with the first run and deleted with the pod, or at the end of the pod&apos;s lifetime. No other pod has it.
    </p>
    <DocsCode label="Shell" code={VOLUME} language="bash" />
    <Definitions
      label="What a volume does"
      rows={[
        ["Stop and start", "It stays on its node, and nothing is copied; with from: image, too"],
        ["Crash of svc", "Neither the pod nor its volume is affected"],
        ["Another node", "It is copied from its node, or comes from a checkpoint that has all of it"],
        ["Reclaim", "The checkpoint that is saved has it; the next run starts when the checkpoint is complete"],
        ["from: checkpoint", "It becomes that of the checkpoint; the newer one is deleted when the pod runs"],
      ]}
    />
    <p>
      A pod runs where its volume is if there is room, and waits with the reason <Code>volume_away</Code> while that
      node does not report and no checkpoint has all of the volume. svc never replaces it with an older state by itself:
      that takes a start with <Code>from: checkpoint</Code>. If the node stops reporting later, the run fails with{" "}
      <Code>volume_unreachable</Code>, and the volume stays.
    </p>
    <p>
      The size includes what the file system needs, 2 to 7 %. A program that writes more gets the error of a full disk (
      <Code>ENOSPC</Code>); <Code>volume.size_enforced</Code> says whether the node enforces that. All volumes of a node
      together reserve at most 80 % of the disk that other files leave, and never what svc keeps for itself: a pod waits
      with <Code>no_disk</Code> where they would exceed it, and fails with <Code>no_disk_space</Code> if its node lacks
      the space when the volume is made. Every user of the image can write to the folder until a program changes its
      mode. The folders of <Code>mount_path</Code> are made if the image lacks them; one that is a symbolic link fails
      the start. What a copy or a checkpoint leaves out is the same as for <a href="#files">other files</a>, and
      programs lose their setuid and setgid bits.
    </p>
    <p>
      Zeros become holes in a copy. A checkpoint fails with <Code>too_large</Code> if the archive of the volume is more
      than twice its size, which holes of sparse files can cause; then the volume cannot leave its node either. Where no
      node keeps volumes, a pod with one is 503 with the reason <Code>volume_unsupported</Code>. Volumes cost nothing at
      present. They lie below <Code>runtime</Code> of the data directory of their node, and backups have none of them.
    </p>
  </DocsSection>
);
