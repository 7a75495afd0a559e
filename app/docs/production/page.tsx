import type { Metadata } from "next";
import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsPage, DocsSection, Meanings } from "../docs-text";
import { ADMIN, BACKUP, CADDY, ENGINES, NGINX, UPGRADE } from "./examples";

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
        [
          "ClickHouse",
          "24.8 or newer. The user may create, alter, fill, read and drop tables of the database in the URL.",
        ],
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
      logs in again. Unless you set it, it is the file <Code>secret</Code> in the data directory, and in backups. One
      that you set is in no backup: keep a copy elsewhere.
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
      One command writes everything of one moment into a new folder, beside a running server or without one, for
      embedded engines and your own. Run it with the server&apos;s environment and, since the write-ahead file lies
      there, its <Code>SVC_DATA_DIR</Code>. Requests go on being answered; new events reach the reports a moment later.
    </p>
    <CodeBlock label="Shell" code={BACKUP} />
    <Meanings
      label="What is in a backup"
      rows={[
        ["manifest.json", "Written last: a folder without it is no backup. It names rows and SHA-256 of every file."],
        ["postgres/, clickhouse/", "Each table as compressed text, a row a line."],
        ["wal/", "Events that had not reached ClickHouse."],
        [
          "secret",
          "The secret that svc made for itself. With SVC_SECRET it is left out: a restore needs the same one.",
        ],
      ]}
    />
    <p>
      A restore checks every file before it writes anything. It needs the same version of svc, and an installation that
      is empty: a new <Code>SVC_DATA_DIR</Code>, or empty databases on which no svc runs. Embedded engines can be
      restored into your own, and the other way round. A restore that fails leaves its target empty again; after one
      that was killed, the next is refused: begin again with a new folder or empty databases. A backup that was killed
      leaves a folder without a manifest, and the next one clears up behind it in ClickHouse.
    </p>
    <p>
      Waiting jobs are not in a backup: mail that was not sent yet stays unsent. Of several machines, the write-ahead
      file of the one where the command runs is in it; run it where svc runs, and know that others may hold requests of
      the last second. The demo gets a new log-in and new keys at the first start. Keep a backup as safe as the
      installation itself, and try a restore from time to time.
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
