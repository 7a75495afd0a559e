import { Code, Definitions, DocsSection } from "../docs-text";

const RUNTIMES = [
  [
    "namespaces",
    "Namespaces of the Linux kernel, with users of the node for each pod alone, HTTP only, and the system calls of Docker's default profile without io_uring; sockets are of UNIX, IP and NETLINK_ROUTE. Limits are enforced where svc may make control groups and file systems; where it may not, a pod with a volume can read the path of the volume's folder on the node",
  ],
  [
    "docker",
    "A container of an engine on the node, without a network. Memory, CPU and processes are limited, disks where the engine can limit them",
  ],
  ["kubernetes", "A pod of a cluster, with the isolation and the limits of the cluster"],
  ["process", "None, and no limits: a plain process of the node, for test keys only"],
] as const;

export const Isolation = () => (
  <DocsSection id="isolation" title="Isolation">
    <p>
      <Code>runtime</Code> of the record says what separates the process from others: <Code>kind</Code> names the
      runtime, <Code>isolation</Code> says it in a sentence, and <Code>limits_enforced</Code> is true if memory, CPU,
      processes and disk are all limited.
    </p>
    <Definitions label="Runtimes" rows={RUNTIMES} />
    <p>
      Except on a <a href="#kubernetes">Kubernetes cluster</a>, all pods share the kernel of the node: an attacker who
      breaks out of it reaches svc.
    </p>
  </DocsSection>
);

export const PlainProcesses = () => (
  <DocsSection id="plain-processes" title="Plain processes">
    <p>
      With <Code>RUNTIME=process</Code>, which svc never chooses by itself, the program of an image runs as a plain
      process of the node, with the user, the files and the network of svc: it can read the data directory with the
      secrets of the installation, and end svc. It is for nodes on which neither namespaces nor a container engine work,
      and for people who may have all of that. Only pods of test keys run so; those of live keys are 503 with the reason{" "}
      <Code>no_runtime</Code>, and <Code>/readyz</Code> says why.
    </p>
    <p>
      Each pod has a copy of the files of its image. The program is looked for there, in <Code>PATH</Code> of the image,
      and begins in its working directory. It is run by the dynamic loader of the image with the libraries of the image,
      a script by the interpreter in the image that its first line names; what cannot be run so fails with{" "}
      <Code>start_failed</Code>. Beyond that, paths are those of the node, also in arguments: a program that opens{" "}
      <Code>/etc/app.conf</Code> opens the file of the node, so name files of the image from the working directory, such
      as <Code>main.py</Code> and not <Code>/app/main.py</Code>. Programs that it starts are found in <Code>PATH</Code>,
      which leads to the image, but are run by the loader of the node, and <Code>/proc/self/exe</Code> is the loader.{" "}
      <Code>HOME</Code> is the folder of the files of the image, and notices of a reclaim are in{" "}
      <Code>$HOME/run/svc</Code>. Users of the image do not exist.
    </p>
    <p>
      No limits are enforced. There are no ports, terminals, checkpoints, snapshots or GPUs; <Code>exec</Code> works.
      Stopping a pod sends SIGTERM to all its processes, and SIGKILL after 30 seconds. Processes that have left its
      session are found by their parents and by the variable <Code>SVC_WORKLOAD</Code>, those of <Code>exec</Code> by{" "}
      <Code>SVC_EXECUTION</Code>. Pods run on when svc stops or is killed; the next start takes them over, and a start
      with another runtime, but not with <Code>RUNTIME=off</Code>, ends them.
    </p>
  </DocsSection>
);
