import type { Metadata } from "next";
import { CodeBlock } from "../../components/ui/code-block";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { BehindProxy } from "./behind-proxy";
import { ADMIN, BACKUP, EMBEDDINGS, ENGINES, PROCESSES, UPGRADE } from "./examples";
import { Failures } from "./failures";
import { FleetUpgrades } from "./fleet-upgrades";
import { FullDisk } from "./full-disk";
import { Listeners } from "./listeners";
import { Monitoring } from "./monitoring";
import { NodeKernel } from "./node-kernel";
import { Nodes } from "./nodes";
import { Objects } from "./objects";

export const metadata: Metadata = { title: "Production" };

export default function ProductionPage() {
  return (
    <DocsPage
      title="Production"
      lead={
        <>
          What to set up, back up and monitor, on one machine or many. Every setting is under{" "}
          <DocsLink href="/docs/configuration">Configuration</DocsLink>, what tenants can do under{" "}
          <DocsLink href="/docs/security">Security</DocsLink>.
        </>
      }
    >
      <BehindProxy />
      <Processes />
      <Listeners />
      <NodeKernel />
      <Nodes />
      <FleetUpgrades />
      <Failures />
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
      <Code>SVC_DATA_DIR</Code> of its own on a disk that survives restarts: it holds the write-ahead file and the
      journal of chat requests (<Code>chat/</Code>), the only state of a process as long as{" "}
      <a href="#objects">objects</a> are in an external store.
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
      can show a tenant that another one has sent the same beginning of a prompt. <Code>prompt_cache_field</Code> of the
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
      data keys with it while svc runs; run it again if it was interrupted. It does not replace <Code>SVC_SECRET</Code>,
      which must stay the same.
    </p>
    <p>
      If <Code>SVC_SECRET</Code> is lost to others and you must change it, values of secrets, keys of chat upstreams,
      signing secrets of webhooks and logins of feeds must be set again, and users log in again. Objects that are
      encrypted stay readable: start every process with the old secret as <Code>SVC_SECRET_PREVIOUS</Code>, and run{" "}
      <Code>admin rewrap-object-keys</Code>. It encrypts their data keys under the new secret, without rewriting the
      objects, while svc runs; run it again if it was interrupted. Then leave <Code>SVC_SECRET_PREVIOUS</Code> out.
    </p>
  </DocsSection>
);

const Accounts = () => (
  <DocsSection id="accounts" title="Accounts and limits">
    <p>
      Operators work from the shell of the machine that svc is installed on, with the server&apos;s environment. Changes
      to a tenant are in its audit log. Running processes apply them within 10 seconds. <Code>admin --help</Code> lists
      every command.
    </p>
    <p>
      While <Code>PUBLIC_URL</Code> is a loopback address, anybody who reaches svc may sign up and run pods. Otherwise
      sign-up is by invitation (<Code>SVC_SIGNUP</Code>), and programs of a tenant, which are pods, functions in pods,
      sandboxes and workspaces, start on the machine of svc only after <Code>svc admin admit-tenant</Code>: until then
      they are 403 with the reason <Code>tenant_not_admitted</Code>. Kubernetes and nodes that have joined with{" "}
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
      Waiting jobs are in a backup, so an email that waited may be sent once more, with the same Message-ID. With
      several machines, a backup contains only the write-ahead file of the machine where the command runs; others may
      have events of the last second. The demo gets new credentials and keys at the first start. Protect a backup like
      the installation itself, and test a restore from time to time.
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
    <p>
      SIGTERM stops a process gracefully, also during its start: each further response announces the close of its
      connection, requests under way are finished, then the engines are stopped. A second Ctrl-C ends the process at
      once.
    </p>
  </DocsSection>
);
