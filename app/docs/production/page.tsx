import type { Metadata } from "next";
import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsPage, DocsSection, Meanings } from "../docs-text";
import { ADMIN, CADDY, ENGINES, NGINX, UPGRADE } from "./examples";

export const metadata: Metadata = { title: "Production" };

export default function ProductionPage() {
  return (
    <DocsPage title="Production" lead="What to set, what to keep, and what to watch, on one machine or on many.">
      <BehindProxy />
      <Processes />
      <Secrets />
      <Accounts />
      <Backups />
      <Upgrades />
      <Monitoring />
    </DocsPage>
  );
}

const BehindProxy = () => (
  <DocsSection id="proxy" title="Behind a reverse proxy">
    <p>
      Set <Code>PUBLIC_URL</Code> to the https origin that people use, and name the proxy&apos;s address or network in{" "}
      <Code>TRUSTED_PROXIES</Code>. Only then is its <Code>X-Forwarded-For</Code> believed; otherwise every client has
      the proxy&apos;s address, and all share one limit. Pass <Code>X-Request-ID</Code> through, and do not buffer:
      product feeds are up to 1 GiB.
    </p>
    <CodeBlock label="Caddyfile" code={CADDY} />
    <CodeBlock label="nginx" code={NGINX} />
    <p>
      Without a proxy, <Code>TLS_CERT</Code> and <Code>TLS_KEY</Code> have svc terminate TLS itself, 1.3 only.
    </p>
  </DocsSection>
);

const Processes = () => (
  <DocsSection id="processes" title="Several processes and your own engines">
    <p>
      With the embedded engines one process serves everything. For more, give all processes the same engines and the
      same <Code>SVC_SECRET</Code>, and each a <Code>SVC_DATA_DIR</Code> of its own on a disk that survives restarts: it
      holds the write-ahead file, the only state of a process.
    </p>
    <CodeBlock label="Environment" code={ENGINES} />
    <Meanings
      label="Engines"
      rows={[
        [
          "PostgreSQL",
          "15 or newer. The user owns the database, since migrations create tables, schemas and triggers.",
        ],
        ["ClickHouse", "24.8 or newer. The user may create, alter and read tables of the database in the URL."],
        [
          "Redis, Valkey",
          "maxmemory-policy noeviction; a single node or a replica set, not Redis Cluster. Needed as soon as two processes share a database.",
        ],
        ["ROLE=web", "Answers requests and runs no jobs. As many as you need."],
        ["ROLE=worker", "Runs jobs and carries events to ClickHouse; serves only /healthz, /readyz and /metrics."],
      ]}
    />
  </DocsSection>
);

const Secrets = () => (
  <DocsSection id="secrets" title="The secret">
    <p>
      <Code>SVC_SECRET</Code> is the root of every derived key. Without it sealed values cannot be read, and everybody
      logs in again. With the embedded engines it is the file <Code>secret</Code> in the data directory. Keep a copy
      apart from the backups of the engines.
    </p>
  </DocsSection>
);

const Accounts = () => (
  <DocsSection id="accounts" title="Accounts and limits">
    <p>
      Operators work from the shell of the machine that svc is installed on, with the server&apos;s environment. Changes
      to a tenant stand in its audit log. Running processes follow within 10 seconds.
    </p>
    <CodeBlock label="Shell" code={ADMIN} />
  </DocsSection>
);

const Backups = () => (
  <DocsSection id="backups" title="Backups">
    <p>
      With the embedded engines stop svc and copy the whole data directory; it also holds the secret, so keep the copy
      as safe as that. To restore, put the folder back and start the same version of svc.
    </p>
    <p>
      With engines of your own stop every svc process, back up PostgreSQL and ClickHouse with their own tools, and copy
      each process&apos;s data directory. All of them belong to one moment: what waits in PostgreSQL or in a write-ahead
      file has not reached ClickHouse yet.
    </p>
  </DocsSection>
);

const Upgrades = () => (
  <DocsSection id="upgrades" title="Upgrades">
    <p>
      Migrations go forward only, so back up first. Stop all processes, install the new version, migrate, start the
      workers, then the web processes. A start migrates by itself too.
    </p>
    <CodeBlock label="Shell" code={UPGRADE} />
    <p>SIGTERM stops a process gracefully: requests under way are finished, then the engines are stopped.</p>
  </DocsSection>
);

const Monitoring = () => (
  <DocsSection id="monitoring" title="Monitoring">
    <p>Logs are JSON on standard output. Keep these paths away from the public.</p>
    <Meanings
      label="What to watch"
      rows={[
        ["/healthz", "The process is alive."],
        ["/readyz", "The engines answer too; send traffic only while this is 200."],
        ["svc_http_requests_total", "Requests answered, by api, method and status."],
        ["svc_http_request_duration_seconds", "A histogram of answer times, by api."],
        ["svc_wal_waiting_bytes", "What is accepted and has not reached ClickHouse yet. It should fall again."],
        ["svc_catalog_items", "Creatives and products that can be served."],
      ]}
    />
  </DocsSection>
);
