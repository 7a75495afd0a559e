import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { LimitsSection, QuickStartSection } from "../usual-sections";
import { CHECKPOINTS, COMMAND_LINE, LOCAL_REGISTRY, PRIVATE_IMAGE, RECLAIM, SECRET_ENV, TRAP } from "./examples";
import { Isolation, PlainProcesses } from "./isolation";
import { Kubernetes } from "./kubernetes";
import { LIMITS } from "./limits";
import { Network, Ports } from "./network";
import { Placing } from "./placing";
import { QuickStart } from "./quick-start";
import { Terminals } from "./terminals";
import { Volumes } from "./volumes";
import { WarmImages } from "./warm-images";

export const metadata: Metadata = { title: "Pods" };

export default function PodsPage() {
  return (
    <DocsPage title="Pods" lead="Processes from container images: started, stopped, and metered by the second.">
      <QuickStartSection
        scopes="pods"
        note=". A pod belongs to the project and the mode of the key; keys of other projects cannot see it."
      >
        <QuickStart />
        <p>The same with the command line:</p>
        <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
      </QuickStartSection>
      <States />
      <Images />
      <PrivateImages />
      <WarmImages />
      <Environment />
      <Network />
      <Ports />
      <Placing />
      <Stopping />
      <Files />
      <Volumes />
      <Reclaims />
      <Output />
      <Terminals />
      <Metering />
      <Isolation />
      <PlainProcesses />
      <LimitsSection of="pods" rows={LIMITS} />
      <Operators />
      <Kubernetes />
    </DocsPage>
  );
}

const States = () => (
  <DocsSection id="states" title="States">
    <Definitions
      label="States of a pod"
      rows={[
        ["pending", "It waits for capacity, or its image is pulled. status_reason says what it waits for"],
        ["ready", "Its process runs"],
        ["reclaiming", "A spot pod whose GPUs are needed, or a pod whose node is drained; it has 30 seconds to end"],
        ["stopping", "It was stopped by a request or at the end of its lifetime, and its processes are ending"],
        ["stopped", "After that, all its processes have ended"],
        ["completed", "Its process ended by itself with exit code 0"],
        ["failed", "Its process ended in another way, was lost with the node, or could not be started"],
      ]}
    />
    <p>
      A pod that is stopped, completed or failed can be started again, and keeps <a href="#files">its files</a>.{" "}
      <Code>GET …/events</Code> is its timeline; the events <Code>pod.created</Code>, <Code>pod.ready</Code>,{" "}
      <Code>pod.reclaim_announced</Code>, <Code>pod.reclaimed</Code>, <Code>pod.stopped</Code>,{" "}
      <Code>pod.completed</Code>, <Code>pod.failed</Code> and <Code>pod.deleted</Code> go to{" "}
      <DocsLink href="/docs/webhooks">webhooks</DocsLink>. <DocsLink href="/cloud/pods">The dashboard</DocsLink> shows
      the timeline, the output and the cost of each pod, and creates pods. A pod with the label <Code>job</Code> and the
      value <Code>training</Code> also causes <Code>training.run.completed</Code> or <Code>training.run.failed</Code>.
    </p>
  </DocsSection>
);

const Images = () => (
  <DocsSection id="images" title="Images">
    <p>
      <Code>image</Code> is a name as in <Code>docker pull</Code>, for the processor of the machine that svc runs on.
      Its digest is verified, and its layers are kept for the next pod with an image of the same repository. Registries
      must be public hosts with https; a <a href="#private-images">private image</a> needs credentials. Only while{" "}
      <Code>PUBLIC_URL</Code> is a loopback address, a registry on <Code>localhost</Code> is also used, with http:
    </p>
    <DocsCode label="Shell" code={LOCAL_REGISTRY} language="bash" />
    <p>
      Layers may be uncompressed or compressed with gzip or zstd (windows of up to 32 MiB on Node before 22.15). Each is
      compared with its digest and, without compression, with <Code>diff_ids</Code> of the image. Setuid and setgid bits
      are removed, device nodes and extended attributes left out, and users and groups above 65,535 become 65,534
      (nobody). A hard link to a file of another layer and the sparse format of GNU tar are refused with{" "}
      <Code>image_invalid</Code>; tools that build images write neither.
    </p>
    <p>
      Each tenant takes its turn at the pulls of a node. An image must be pulled and unpacked within 30 minutes, and
      each layer must come with at least 16 KiB per second; otherwise the pod fails with{" "}
      <Code>registry_unreachable</Code>. An image may unpack to 100 times what is downloaded of it and 256 MiB; beyond
      that it is <Code>image_too_large</Code>. With <Code>no_disk_space</Code>, its node unpacks too many images at
      present: start the pod again later.
    </p>
    <p>
      An image with the name of a file that is not UTF-8 is refused, with the name. <Code>command</Code> replaces the
      program of the image and its arguments.
    </p>
  </DocsSection>
);

const Environment = () => (
  <DocsSection id="environment" title="Environment and secrets">
    <p>
      A variable has a value, or the name of a <DocsLink href="/docs/secrets">secret</DocsLink>, which requires the
      scope <Code>secrets:reveal</Code> because the program can pass it on:
    </p>
    <DocsCode label="Body" code={SECRET_ENV} language="json" />
    <p>
      A secret is read at each start. It is in no record and no event, and in the output it is replaced by{" "}
      <Code>[redacted]</Code> if it has at least 8 characters, also in base64, hexadecimal or URL-encoded form. What a
      program changes in another way before it prints it is not found: to run a program in such a pod, or to open a
      terminal in it, a key needs <Code>secrets:reveal</Code> too.
    </p>
  </DocsSection>
);

const PrivateImages = () => (
  <DocsSection id="private-images" title="Private images">
    <p>
      For an image that its registry shows to some only, store the password, or better a token that may only read, as a{" "}
      <DocsLink href="/docs/secrets">secret</DocsLink> and name it:
    </p>
    <DocsCode label="Body" code={PRIVATE_IMAGE} language="json" />
    <p>
      This requires the scope <Code>secrets:reveal</Code>. The secret is read at each start, is sent only to the
      registry of the image and the token server that it names, and is never in the pod. The registry is contacted at
      each start, also when its layers are on the node already: a pod that it refuses fails with{" "}
      <Code>registry_unauthorized</Code>. Layers that were pulled with credentials are used again for the same
      repository and tenant only, also if others know their digests.
    </p>
  </DocsSection>
);

const Stopping = () => (
  <DocsSection id="stopping" title="Stopping">
    <p>
      A stop sends SIGTERM, or the <Code>STOPSIGNAL</Code> of the image, to all processes of the pod, and after 30
      seconds SIGKILL to those that are left. Deleting kills at once.
    </p>
    <DocsCode label="entrypoint.sh" code={TRAP} language="bash" />
  </DocsSection>
);

const Files = () => (
  <DocsSection id="files" title="Files and checkpoints">
    <p>
      <Code>POST …/start</Code> continues with the files that the pod has written, as <Code>docker start</Code> does.
      They are those that the run before left on its node, or else those of the newest checkpoint; with{" "}
      <Code>{'{ "from": "image" }'}</Code> the pod starts with the files of the image only. Memory and processes are
      never restored. The timeline says with which files a run started. The image is looked up again at each start; name
      it by its digest if the files depend on its version.
    </p>
    <p>
      Files that are to outlive the image, or are many, belong in a <a href="#volumes">volume</a>.
    </p>
    <p>
      <Code>POST …/checkpoint</Code> saves the files and the volume to object storage, also while the pod runs:{" "}
      <Code>saving</Code>, then <Code>saved</Code> or <Code>failed</Code> with the reason. A file that a program changes
      meanwhile may be torn, so write a new file and rename it. Only what is new is uploaded; <Code>new_bytes</Code>{" "}
      says how much. Sockets and extended attributes are left out, and a name that is not UTF-8 makes it fail: rename
      the file. A start verifies each part, and a pod whose checkpoint is damaged fails with that reason.
    </p>
    <DocsCode label="Shell" code={CHECKPOINTS} language="bash" />
  </DocsSection>
);

const Reclaims = () => (
  <DocsSection id="spot" title="Spot pods">
    <p>
      A pod with <Code>spot</Code> is cheaper, and ended when other pods need its GPUs. It has 30 seconds: it is{" "}
      <Code>reclaiming</Code>, the event <Code>pod.reclaim_announced</Code> is sent, all its processes receive SIGTERM
      (or the <Code>STOPSIGNAL</Code> of the image), and the file <Code>/run/svc/reclaim.json</Code> appears with{" "}
      <Code>notice_at</Code> and <Code>ends_at</Code>. The file exists only during a notice, which distinguishes a
      reclaim from a stop; images whose <Code>/run</Code> is not a folder do not have it. Processes that still run at{" "}
      <Code>ends_at</Code> are killed, and none is ended before.
    </p>
    <DocsCode label="entrypoint.sh" code={RECLAIM} language="bash" />
    <p>
      However the run ends then, its usage ends with it, its GPUs are free, a checkpoint of its files is saved, and{" "}
      <Code>pod.reclaimed</Code> is sent. With <Code>auto_resume</Code> the pod is pending again, and its next run
      starts with these files as soon as there are GPUs; otherwise it is stopped with the reason{" "}
      <Code>spot_reclaimed</Code>. A stop or a deletion during the notice applies instead, without a checkpoint.
    </p>
    <p>
      In test mode you can rehearse it: <Code>POST …/reclaim</Code>, or <Code>svc pods reclaim pod_…</Code>, gives a
      spot pod notice as if its GPUs were needed, and everything above follows, metering and events included. Its whole
      gang is reclaimed with it. A pod that waits for capacity, is stopping or has ended is a conflict with the reason{" "}
      <Code>not_placed</Code>, one without <Code>spot</Code> with <Code>not_spot</Code>, and a pod of live mode with{" "}
      <Code>live_mode</Code>.
    </p>
    <p>
      When an operator drains a node for maintenance, every pod on it is given the same notice with the reason{" "}
      <Code>node_draining</Code>. Pods that are not spot are then pending again without <Code>auto_resume</Code>, keep
      their place in the order, and run on another node with their files.
    </p>
  </DocsSection>
);

const Output = () => (
  <DocsSection id="output" title="Output">
    <p>
      <Code>GET …/logs</Code> returns the newest <Code>tail_bytes</Code> of standard output and standard error.{" "}
      <Code>follow=true</Code> continues with server-sent events until the run ends. A program that writes more than 16
      MiB in a second waits. The output of a run is deleted when the pod is started again, deleted, or 30 days old.
    </p>
    <p>
      <Code>POST …/exec</Code>, or <Code>svc pods exec pod_… -- /bin/ls -l</Code>, runs one more program in a pod that
      is ready and returns its output, at most 1 MiB, and its exit code. It is ended after <Code>timeout_seconds</Code>,
      or when the client disconnects, together with all that it has started. When it ends by itself, what it leaves
      behind runs on until the pod ends, but its output is not read any more: start a server with its output in a file.
    </p>
  </DocsSection>
);

const Metering = () => (
  <DocsSection id="metering" title="Metering">
    <p>
      A pod costs from the start of its process to its end, as the node observed them; each second that has begun
      counts. Pulling the image and waiting cost nothing, nor does the time after a crash of the node.{" "}
      <Code>metered_seconds</Code>, <Code>price_per_hour</Code> and <Code>cost</Code> of the record show it; the prices
      are of this installation, and a month becomes an <DocsLink href="/docs/billing">invoice</DocsLink>.
    </p>
  </DocsSection>
);

const Operators = () => (
  <DocsSection id="operators" title="For operators">
    <p>
      Pods run on the node of the process with <Code>ROLE=worker</Code>, on Linux: in containers of an engine with
      Docker's API, such as Podman, if one listens on a Unix socket and svc is root, or with the namespaces of the
      kernel, as root or where users may make them. svc tries that at its start with a small program; if both fail, svc
      runs without pods. <Code>RUNTIME=docker</Code> and <Code>RUNTIME=namespaces</Code> force one, and{" "}
      <a href="#plain-processes">RUNTIME=process</a> is for nodes where neither works. Pods run on when svc stops or is
      killed, and the next start takes them over; programs of <Code>exec</Code>, terminals and functions end with it. A
      pod whose supervisor, a Perl process, is killed ends at once, as after a crash of the node. With several worker
      processes in a data directory one of them runs the pods, and only it can return their output:{" "}
      <Code>GET …/logs</Code> is 503 with the reason <Code>runs_elsewhere</Code> on the others. <Code>RUNTIME=off</Code>{" "}
      runs no pods. A systemd unit needs <Code>KillMode=process</Code>, because systemd otherwise ends all pods with
      svc. Delete the pods before the data directory, in which the files of running ones are mounted.
    </p>
    <p>
      <Code>npm run svc -- admin cordon-node</Code> lets a node of a GPU pool accept no new pods, in the next decision
      of every process. <Code>admin drain-node</Code> also gives each pod on it 30 seconds of notice; it then waits for
      GPUs of another node, with its files, but spot pods without <Code>auto_resume</Code> are stopped. A monitor
      reports with <Code>admin node-health</Code>: <Code>crit</Code> cordons and drains the node, and <Code>ok</Code>{" "}
      ends that if the last <Code>crit</Code> was at least 5 minutes ago. After 3 <Code>crit</Code> within an hour, and
      after a cordon by an operator, only <Code>admin uncordon-node</Code> ends it. Tenants see that a node is cordoned
      or draining, but not why.
    </p>
  </DocsSection>
);
