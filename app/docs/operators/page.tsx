import type { Metadata } from "next";
import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsPage, DocsSection, Meanings, To } from "../docs-text";
import { Snippet } from "../snippet";

export const metadata: Metadata = { title: "For operators" };

const START = `npm install
npm start`;

export default function OperatorsPage() {
  return (
    <DocsPage title="For operators" lead="One process with everything inside; from there as many as you need.">
      <DocsSection id="start" title="1. Start it">
        <p>
          Node (20.19 or a later 20, 22.12 or a later 22, or 24 and newer) and npm are all it takes. The first start
          builds what is stale, starts PostgreSQL and ClickHouse, migrates and prints a box with the address, a log-in
          and a key.
        </p>
        <CodeBlock label="Shell" code={START} />
      </DocsSection>
      <DocsSection id="watch" title="2. See that it is well">
        <p>Two probes and one page of metrics. Keep all three away from the public.</p>
        <Snippet title="Is it ready to serve?" request={{ method: "GET", path: "/readyz", key: "none" }} />
        <Meanings
          label="Paths for operators"
          rows={[
            ["/healthz", "The process is alive. Restart it when this does not answer."],
            ["/readyz", "The engines answer too. Send traffic only while this is 200."],
            ["/metrics", "For Prometheus: requests, what waits, what can be served."],
          ]}
        />
      </DocsSection>
      <DocsSection id="state" title="3. Know where the state is">
        <p>
          With the embedded engines all state is in one folder, <Code>SVC_DATA_DIR</Code> (default <Code>.data</Code>).
          Set <Code>DATABASE_URL</Code>, <Code>CLICKHOUSE_URL</Code> and <Code>REDIS_URL</Code>, and it is in your own
          engines instead; only the write-ahead file stays in the folder.
        </p>
      </DocsSection>
      <DocsSection id="more" title="Where to go on">
        <p>
          <To href="/docs/production">Production</To> has the rest: a reverse proxy, several processes, external
          engines, limits of tenants, passwords, backup and restore, upgrades.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
