import type { Metadata } from "next";
import { CodeBlock } from "../../components/ui/code-block";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { BehindProxy } from "./behind-proxy";
import { ADMIN, BACKUP, EMBEDDINGS, ENGINES, PROCESSES, S3_STORE, UPGRADE } from "./examples";
import { Listeners } from "./listeners";
import { Machines } from "./machines";

export const metadata: Metadata = { title: "Production" };

export default function ProductionPage() {
  return (
    <DocsPage
      title="Production"
      lead={
        <>
          What to configure, back up and monitor, on one machine or many. For listeners and what tenants can do, see{" "}
          <DocsLink href="/docs/security">Security</DocsLink>.
        </>
      }
    >
      <BehindProxy />
      <Processes />
      <Listeners />
      <Machines />
      <FullDisk />
      <Objects />
      <Semantic />
      <Chat />
      <Secrets />
      <Accounts />
      <Backups />
      <Upgrades />
      <Monitoring />
    </DocsPage>
  );
}

const Processes = () => (
  <DocsSection id="processes" title="Several processes and your own engines">
    <p>
      One process uses about one core. To use more cores of one machine, set <Code>SVC_WEB_PROCESSES</Code> to their
      number (1 to 64) and <Code>REDIS_URL</Code>, because the processes share rate limits, frequency caps and
      notifications; you can keep the embedded engines. One process then starts the engines and supervises the others,
      which share the port and the data directory: one that exits is replaced while the others serve, and SIGTERM to the
      supervising process stops all of them gracefully. Each needs the memory of one svc process and up to 30
      connections of PostgreSQL; the first one also runs the jobs.
    </p>
    <DocsCode label="Shell" code={PROCESSES} language="bash" />
    <p>
      For several machines, give all processes the same engines and the same <Code>SVC_SECRET</Code>, and each a{" "}
      <Code>SVC_DATA_DIR</Code> of its own on a disk that survives restarts: it holds the write-ahead file, the only
      state of a process as long as <a href="#objects">objects</a> are in an external store.
    </p>
    <CodeBlock label="Environment" code={ENGINES} />
    <Definitions
      label="Engines"
      rows={[
        [
          "PostgreSQL",
          "15 or newer. The user owns the database, since migrations create tables, schemas and triggers.",
        ],
        [
          "ClickHouse",
          "24.8 or newer. The user may create, alter, fill, read and drop tables of the database in the URL.",
        ],
        [
          "Redis, Valkey",
          "maxmemory-policy noeviction; a single node or a replica set, not Redis Cluster. Needed as soon as two processes share a database.",
        ],
        ["ROLE=web", "Handles requests and runs no jobs. Run as many as you need."],
        ["ROLE=worker", "Runs jobs and sends events to ClickHouse; serves only /healthz, /readyz and /metrics."],
      ]}
    />
  </DocsSection>
);

const FullDisk = () => (
  <DocsSection id="disk" title="A disk that fills">
    <p>
      A tenth of the disk of the data directory is svc&apos;s own: at least 512 MiB (or a quarter of a disk of less than
      2 GiB) and at most 20 GiB. When only that is left, whatever stores something for tenants is refused with 503 and
      the reason <Code>disk_full</Code>: objects, messages, KV and SQL writes of edge functions, telemetry, code of
      functions, and the start of pods, with the pull of images. Log lines of edge functions are dropped meanwhile.
      Logging in, reading, deleting, revoking keys, stopping pods, serving offers and all commands of operators go on,{" "}
      <Code>/readyz</Code> stays 200 with the failed check <Code>disk reserve</Code>, and the log has a line with{" "}
      <Code>alarm: disk_reserve</Code>. Writes are accepted again within a second after there is space. One tenant
      stores at most what its quota <Code>stored_bytes</Code> says, by default 100 GiB; on a smaller disk, set it to a
      part of that.
    </p>
    <p>
      Disks of pods are files that grow, up to 10 GiB each, which can be more than the disk has. A machine promises each
      running pod 256 MiB, and each volume its size: what is free, without the reserve and with what running pods have
      taken of their promises, is what it offers, and a pod beyond that waits with the reason <Code>no_disk</Code>.
      Docker, Kubernetes and agents of earlier versions do not report their disk, which is then no limit. svc counts
      what pods have written also before the kernel has stored it, at least every 15 seconds, and the more often the
      less is left, up to 50 times a second. When half of the reserve is used up, it pauses the pods that still fill the
      disk; their timeline says so, they can be stopped and deleted, and they go on when there is space. A pod that goes
      on writing although it is paused is ended. The kernel keeps the last quarter of the reserve from all pods
      together, however fast they write: their disks are full then. In addition svc holds up to 256 MiB in the file{" "}
      <Code>reserve</Code> of the data directory, which it deletes for its own database when an eighth of the reserve is
      left.
    </p>
    <p>
      With the runtimes <Code>docker</Code>, if the engine keeps its files on that disk, and <Code>process</Code>, the
      kernel limits nothing: svc adds up the files of each pod one time after the other while tenants&apos; writes are
      refused, which takes the longer the more files there are, and pauses those that have grown since then. It counts
      what a container writes outside of volumes, and what a plain process writes in the folder of its pod. On a
      Kubernetes cluster the nodes have their own disks and limits. Whatever the runtime, no pod is started on a machine
      meanwhile.
    </p>
  </DocsSection>
);

const Objects = () => (
  <DocsSection id="objects" title="Stored objects">
    <p>
      Objects of <DocsLink href="/docs/storage">object storage</DocsLink> are files in the folder <Code>objects</Code>{" "}
      of the data directory, with a checksum per block. Uploads are refused with 503 when{" "}
      <Code>SVC_OBJECTS_DISK_SHARE</Code> of that disk is in use, files of other programs included. Every file is
      verified in the background; see <a href="#monitoring">Monitoring</a>.{" "}
      <DocsLink href="/docs/storage#classes">Storage classes</DocsLink> are the folders <Code>.warm</Code>,{" "}
      <Code>.cold</Code> and <Code>.archive</Code> in it, which may be volumes of their own, or prefixes of names in an
      external store.
    </p>
    <p>
      Such files belong to one machine. For several machines, or more than one disk holds, keep objects in a bucket of
      an external S3 store, in which their names begin with <Code>svc-objects/</Code>:
    </p>
    <CodeBlock label="Environment" code={S3_STORE} />
    <p>
      Choose this before the first object is stored: objects are not moved from one to the other. A bucket must belong
      to one installation alone, because every night svc deletes objects below that prefix that its database does not
      name and that are older than an hour: two installations with one bucket would delete each other&apos;s objects.
    </p>
    <p>
      Clients reach the S3 endpoint at <Code>PUBLIC_URL</Code> + <Code>/v1/s3</Code> in path style. With{" "}
      <Code>S3_HOST=s3.svc.example</Code> it is also at that host and, in virtual-host style, at one host for each
      bucket: set a DNS record for it and for <Code>*.s3.svc.example</Code>, and have both in the certificate and in the
      proxy&apos;s <Code>server_name</Code>. A wildcard certificate does not cover names of buckets with dots.
    </p>
  </DocsSection>
);

const Semantic = () => (
  <DocsSection id="embeddings" title="Finding offers by meaning">
    <p>
      With an embeddings server, svc also finds items that have no word in common with the query: &quot;footwear for wet
      weather&quot; can find rubber boots. Any server with OpenAI&apos;s <Code>/embeddings</Code> works, such as Ollama,
      text-embeddings-inference or vLLM. Without one, offers are found by words alone.
    </p>
    <DocsCode label="Shell" code={EMBEDDINGS} language="bash" />
    <Definitions
      label="How it works"
      rows={[
        [
          "Items",
          "A worker computes their vectors in the background, and again when the text or the model changes. Until then an item is found only by its words.",
        ],
        [
          "Requests",
          "A request waits at most 30 ms for the vector of a new query. If it is late, this request uses only words, and the next one uses the vector. While the embeddings server fails, the status in /readyz is degraded.",
        ],
        [
          "Ranking",
          "Words come first: items that are only near in meaning follow, and all filters apply. Channels with the strictness strict do not rely on meaning alone.",
        ],
        [
          "EMBEDDINGS_COSINE_MIN",
          "Items with a lower cosine count as unrelated. The default, 0.6, does not suit every model: Explain shows the cosines, so that you can choose a value.",
        ],
        ["Data", "Queries and the texts of items are sent to the server that you configure, but no user ids."],
      ]}
    />
  </DocsSection>
);

const Chat = () => (
  <DocsSection id="chat" title="Chat models for all tenants">
    <p>
      <Code>CHAT_UPSTREAMS</Code> names a JSON file with the upstreams of the{" "}
      <DocsLink href="/docs/chat#operators">chat gateway</DocsLink>, which every tenant can use with live keys. Give all
      processes the same file and the environment variables that it names; it is read at the start. svc charges tenants
      nothing for them: limit them with budgets of their projects, or let tenants bring their own upstreams.
    </p>
    <p>
      All tenants share the account of such an upstream, and its prompt cache: an answer that begins sooner than usual
      can tell a tenant that another one has sent the same beginning of a prompt. <Code>prompt_cache_field</Code> of the
      upstream separates them. With <Code>cache_salt</Code> vLLM finds nothing of another tenant in its cache. OpenAI
      distributes requests by <Code>prompt_cache_key</Code>, so that those of two tenants rarely meet, but does not
      promise that they never do. Where prompts must not be guessed by the time that answers take, use vLLM with{" "}
      <Code>cache_salt</Code>, a server without a prompt cache, or upstreams that tenants add themselves.
    </p>
  </DocsSection>
);

const Secrets = () => (
  <DocsSection id="secrets" title="The secret">
    <p>
      <Code>SVC_SECRET</Code> is the root of every derived key. Without it encrypted values cannot be read, and all
      users must log in again. Unless you set it, it is generated into the file <Code>secret</Code> in the data
      directory and is part of backups. A secret that you set is not in backups: keep a copy elsewhere.
    </p>
    <p>
      The values of <DocsLink href="/docs/secrets#encryption">secrets</DocsLink> are encrypted under a master key that
      is derived from it. <Code>admin rotate-master-key</Code> creates a new version of that master key and encrypts all
      data keys with it while svc runs. It does not replace <Code>SVC_SECRET</Code>, which must stay the same.
    </p>
  </DocsSection>
);

const Accounts = () => (
  <DocsSection id="accounts" title="Accounts and limits">
    <p>
      Operators work from the shell of the machine that svc is installed on, with the server&apos;s environment. Changes
      to a tenant are in its audit log. Running processes apply them within 10 seconds.
    </p>
    <p>
      While <Code>PUBLIC_URL</Code> is a loopback address, anybody who reaches svc may sign up and run pods. Otherwise
      sign-up is by invitation (<Code>SVC_SIGNUP</Code>), and programs of a tenant, which are pods, functions in pods,
      sandboxes and workspaces, start on the machine of svc only after <Code>svc admin admit-tenant</Code>: until then
      they are 403 with the reason <Code>tenant_not_admitted</Code>. Kubernetes and machines that have joined with{" "}
      <Code>svc node join</Code> run the programs of all tenants. Tenants of an installation that is upgraded to this
      version are admitted.
    </p>
    <DocsCode label="Shell" code={ADMIN} language="bash" />
  </DocsSection>
);

const Backups = () => (
  <DocsSection id="backups" title="Backups">
    <p>
      One command writes a consistent snapshot into a new folder, with or without a running server, for embedded and
      external engines. Run it with the server&apos;s environment and its <Code>SVC_DATA_DIR</Code>, which contains the
      write-ahead file. The server keeps handling requests; new events reach the reports with a short delay.
    </p>
    <DocsCode label="Shell" code={BACKUP} language="bash" />
    <Definitions
      label="What is in a backup"
      rows={[
        [
          "manifest.json",
          "Written last: a folder without it is not a complete backup. It lists the rows and SHA-256 of every file.",
        ],
        ["postgres/, clickhouse/", "Each table as compressed text, one row per line."],
        ["wal/", "Events that had not reached ClickHouse."],
        [
          "objects/",
          "The files of stored objects, as hard links where the backup is on the same disk. Objects in an external store are not included.",
        ],
        [
          "secret",
          "The generated secret. A secret that you set as SVC_SECRET is not included, and a restore needs the same value.",
        ],
      ]}
    />
    <p>
      A restore checks every file before it writes anything. It needs the same version of svc and an empty installation:
      a new <Code>SVC_DATA_DIR</Code>, or empty databases that no svc process uses. A backup of embedded engines can be
      restored into external ones, and vice versa. A failed restore leaves its target empty; after a killed restore,
      start again with a new folder or empty databases. A killed backup leaves a folder without a manifest, and the next
      backup cleans up its data in ClickHouse.
    </p>
    <p>
      An external store of objects needs a backup of its own, such as versions in its bucket: a restored database names
      objects as they were, and objects that were stored later are deleted 7 days after svc first found them without a
      record. Never let a restored copy and the original use one bucket.
    </p>
    <p>
      Waiting jobs are in a backup, so an email that waited may be sent once more. With several machines, a backup
      contains only the write-ahead file of the machine where the command runs; others may have events of the last
      second. The demo gets new credentials and keys at the first start. Protect a backup like the installation itself,
      and test a restore from time to time.
    </p>
    <p>
      After a restore, volumes of pods, shared volumes, private networks, SQL databases of edge functions and stored
      blobs that were made since the backup have no record. svc keeps them for 7 days from when it first found them so,
      in which nothing can use them, and logs <Code>alarm: unknown_volumes</Code>, <Code>unknown_networks</Code> or{" "}
      <Code>unknown_databases</Code>; <Code>npm run svc -- admin quarantine</Code> lists them. Restore a newer backup in
      that time, and they are used again. Of the databases of a PostgreSQL server, only those with the comment of this
      installation count.
    </p>
  </DocsSection>
);

const Upgrades = () => (
  <DocsSection id="upgrades" title="Upgrades">
    <p>
      Migrations are forward only, so back up first. Stop all processes, install the new version, migrate, start the
      workers, then the web processes. A start also runs the migrations. Each migration and its record commit in one
      transaction: the next start completes an interrupted one, and a failed migration leaves no changes. Fix its cause
      and start again. A migration gives way to requests of processes that still run: it waits half a second for a
      table, and is repeated for up to 5 minutes.
    </p>
    <DocsCode label="Shell" code={UPGRADE} language="bash" />
    <p>SIGTERM stops a process gracefully: requests under way are finished, then the engines are stopped.</p>
  </DocsSection>
);

const Monitoring = () => (
  <DocsSection id="monitoring" title="Monitoring">
    <p>
      Logs are JSON on standard output. Do not expose these paths publicly. With <Code>SVC_WEB_PROCESSES</Code> each log
      line has the <Code>pid</Code> of its process, any process responds with the metrics of all, and each series has
      the label <Code>process</Code>.
    </p>
    <Definitions
      label="What to watch"
      rows={[
        ["/healthz", "The process is alive."],
        [
          "/readyz",
          "PostgreSQL responds and the disk accepts writes; send traffic only while this is 200. The status is degraded while Redis or ClickHouse is unavailable, events are dropped, or the disk has only svc's reserve; requests are still served.",
        ],
        [
          "svc_disk_free_bytes",
          "Free bytes of the disk of the data directory. Below svc_disk_reserve_bytes tenants' writes are refused.",
        ],
        ["svc_http_requests_total", "Requests handled, by API, method and status."],
        ["svc_http_request_duration_seconds", "A histogram of response times, by API."],
        [
          "svc_wal_waiting_bytes",
          "Accepted events that have not reached ClickHouse yet. It should decrease again; svc_wal_waiting_bytes_max is its limit (SVC_WAL_MAX_MB).",
        ],
        [
          "svc_facts_shed_total",
          "Events dropped, by table, because the write-ahead file was nearly full; charges and orders are never dropped.",
        ],
        [
          "svc_facts_refused_total",
          "Rows that ClickHouse rejected, by table. They are in dead-letters.ndjson of the data directory.",
        ],
        ["svc_catalog_items", "Creatives and products that can be served."],
        ["svc_catalog_bytes", "Memory of their index, at most SVC_CATALOG_MIB: 40 % of Node's heap limit by default."],
        [
          "svc_catalog_items_left_out",
          "Items that do not fit into that memory: those of the largest tenants first, starting with their newest campaigns.",
        ],
        [
          "alarm: tenant_statement",
          "In the log: a statement of an SQL database of edge functions that PostgreSQL has not been able to cancel for a minute. It uses a processor at the lowest priority and one call of its tenant, until it ends or PostgreSQL is restarted.",
        ],
        ["svc_blobs_verified_total", "Stored blobs of objects whose checksums scrubbing has found right."],
        [
          "svc_blobs_lost_total",
          "Blobs that scrubbing has found damaged or missing. The log names each; restore it from a backup.",
        ],
        ["svc_impression_ids_ignored_total", "IDs in impression reports that cannot be the ID of an offer."],
      ]}
    />
  </DocsSection>
);
