import type { Metadata } from "next";
import { Call } from "../call";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";

export const metadata: Metadata = { title: "For operators" };

const START = `npm install
npm start`;

export default function OperatorsPage() {
  return (
    <DocsPage title="For operators" lead="Start with one process that contains everything; add more as you need them.">
      <StartSection />
      <RequirementsSection />
      <WatchSection />
      <DocsSection id="state" title="3. Where the data is">
        <p>
          With the embedded engines, all data is in one folder, <Code>SVC_DATA_DIR</Code> (default <Code>.data</Code>).
          Set <Code>DATABASE_URL</Code>, <Code>CLICKHOUSE_URL</Code> and <Code>REDIS_URL</Code>, and the data is in your
          own engines instead; only the write-ahead file and stored objects stay in the folder, and the objects go to an
          S3 store of yours with <Code>S3_ENDPOINT</Code>.
        </p>
      </DocsSection>
      <DocsSection id="more" title="Next steps">
        <p>
          The <DocsLink href="/docs/tour">tour</DocsLink> shows what it can do.{" "}
          <DocsLink href="/docs/configuration">Configuration</DocsLink> lists every setting, and{" "}
          <DocsLink href="/docs/production">Production</DocsLink> has the rest: a reverse proxy, several processes,
          external engines, nodes, limits of tenants, passwords, backup and restore, upgrades.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const StartSection = () => (
  <DocsSection id="start" title="1. Start it">
    <p>
      Node and npm are all you need: no Docker, no system service, no root, and no downloads from outside the npm
      registry. The first start builds svc, starts PostgreSQL and ClickHouse, runs the migrations and prints the
      address, login credentials and a key.
    </p>
    <DocsCode label="Shell" code={START} language="bash" />
    <p>
      An empty embedded database gets a demo account with 30 days of simulated traffic, on channels marked
      “(simulated)”: its visitors, clicks, orders and amounts are invented, and it ends where real traffic begins.{" "}
      <Code>SVC_DEMO=on</Code> creates the account without that traffic, <Code>SVC_DEMO=off</Code> creates neither.
    </p>
  </DocsSection>
);

const RequirementsSection = () => (
  <DocsSection id="requirements" title="What it needs">
    <Definitions
      label="Requirements"
      rows={[
        [
          "Node",
          "20.19 or a later 20, 22.12 or a later 22, or 24 and newer. On Node 20 npm prints EBADENGINE notices for some development tools; they are harmless.",
        ],
        [
          "System",
          "Tested on Linux x64 (glibc), as root and as an ordinary user, with and without npm's install scripts. macOS has packages for both engines but was not tested. Windows and musl (Alpine) have no ClickHouse package: set CLICKHOUSE_URL there.",
        ],
        [
          "Disk",
          "About 2.1 GB on Linux x64: 570 MB ClickHouse as a library (chdb), 350 MB Next.js with its compiler and sharp, 162 MB workerd, which runs functions and edge functions, 75 MB Prisma's client, 63 MB PostgreSQL, 57 MB the client of Kubernetes, and about 350 MB of development tools, which npm install --omit=dev leaves out.",
        ],
      ]}
    />
  </DocsSection>
);

const WatchSection = () => (
  <DocsSection id="watch" title="2. Monitor it">
    <p>Two probes and one page of metrics. Do not expose them publicly.</p>
    <Call title="Is it ready to serve?" call="GET /readyz" auth="none" />
    <Definitions
      label="Paths for operators"
      rows={[
        ["/healthz", "The process is alive. Restart it when this does not respond."],
        [
          "/readyz",
          "Everything that requests depend on responds. Send traffic only while this is 200. It also lists what runs pods on each node, or why nothing does.",
        ],
        ["/metrics", "For Prometheus: requests, pending events, servable items."],
      ]}
    />
  </DocsSection>
);
