import { Code, DocsSection } from "../docs-text";

/** What svc refuses, pauses and keeps when the disk of the data directory fills. */
export const FullDisk = () => (
  <DocsSection id="disk" title="A disk that fills">
    <p>
      A tenth of the disk of the data directory is svc&apos;s own: at least 512 MiB (or a quarter of a disk of less than
      2 GiB) and at most 20 GiB. When only that is left, requests that store data for tenants fail with 503 and the
      reason <Code>disk_full</Code>: objects, messages, KV and SQL writes of edge functions, telemetry, code of
      functions, and the start of pods, with the pull of images. Log lines of edge functions are dropped meanwhile.
      Logging in, reading, deleting, revoking keys, stopping pods, serving offers and all commands of operators still
      work, <Code>/readyz</Code> stays 200 with the failed check <Code>disk reserve</Code>, and the log has a line with{" "}
      <Code>alarm: disk_reserve</Code>. Writes are accepted again within a second after there is space. One tenant
      stores at most what its quota <Code>stored_bytes</Code> says, by default 100 GiB; on a smaller disk, set it to a
      part of that.
    </p>
    <p>
      Disks of pods are files that grow, up to 10 GiB each, which can be more than the disk has. A node promises each
      running pod 256 MiB, and each volume its size: what is free, without the reserve and with what running pods have
      taken of their promises, is what it offers, and a pod beyond that waits with the reason <Code>no_disk</Code>.
      Docker, Kubernetes and agents of earlier versions do not report their disk, which is then no limit. svc counts
      what pods have written also before the kernel has stored it, at least every 15 seconds, and the more often the
      less is left, up to 50 times a second. When half of the reserve is used up, it pauses the pods that still fill the
      disk; their timeline says so, they can be stopped and deleted, and they continue when there is space. A pod that
      continues to write although it is paused is ended. The kernel keeps the last quarter of the reserve from all pods
      together, however fast they write: their disks are full then. In addition svc holds up to 256 MiB in the file{" "}
      <Code>reserve</Code> of the data directory, which it deletes for its own database when an eighth of the reserve is
      left.
    </p>
    <p>
      With the runtimes <Code>docker</Code>, if the engine keeps its files on that disk, and <Code>process</Code>, the
      kernel limits nothing: svc adds up the files of each pod one time after the other while tenants&apos; writes are
      refused, which takes the longer the more files there are, and pauses those that have grown since then. It counts
      what a container writes outside of volumes, and what a plain process writes in the folder of its pod. On a
      Kubernetes cluster the nodes have their own disks and limits. Whatever the runtime, no pod is started on a node
      meanwhile.
    </p>
  </DocsSection>
);
