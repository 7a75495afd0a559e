import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";

/** Stores of metrics, logs and traces. */
export const Telemetry = () => (
  <DocsSection id="telemetry" title="Telemetry stores">
    <p>
      A resource of <Code>observe</Code> keeps what OpenTelemetry exporters send: its kind is <Code>metric</Code>,{" "}
      <Code>log</Code> or <Code>trace</Code>. Exporters use the protocol <Code>http/json</Code> with the URL in{" "}
      <Code>endpoints</Code> and <Code>Authorization: Bearer svc_ing_…</Code>. The token is{" "}
      <Code>secrets.ingest_token</Code> of the response to the creation, and is never shown again: svc keeps a hash. It
      can only send records to this store. A platform key of the project with <Code>gpuc:write</Code> can do that too.
    </p>
    <p>
      A request is answered when its records are on the disk of svc, and a repeated one stores them again, as OTLP
      allows. All records that a request is accepted with are stored, or none. A record with an error is refused by
      itself: <Code>partialSuccess</Code> counts those, and names the first by its place in the request. While a store
      is suspended, requests are 409.
    </p>
    <p>
      <Code>GET /v1/observe/&lt;rid&gt;/records</Code> returns records, newest first, of the times from{" "}
      <Code>from</Code> to <Code>to</Code>, and with <Code>contains</Code> those that have a text in their body or name,
      service or attributes. Records are deleted after <Code>retention_days</Code>, counted from when they were
      received. Deleting a store makes its records unreadable at once and deletes them.
    </p>
    <Definitions label="Limits of telemetry stores" rows={LIMITS} />
    <p>
      What is not there: Protobuf and gRPC, summaries and exponential histograms, events and links of spans, exemplars,
      a query language, charts, alerts, and a price. <DocsLink href="/docs/production#backups">Backups</DocsLink> have
      what is in ClickHouse; records of the last second may be missing in them.
    </p>
  </DocsSection>
);

const LIMITS = [
  ["A request", "4 MiB as sent, 16 MiB unpacked with gzip, and 10,000 records of 16 MiB together"],
  [
    "A store",
    "64 MiB at once and 1 MiB in each second; more is 429. What counts is the request, or its records if they are larger",
  ],
  ["All stores", "Records count toward the quota stored_bytes; at its limit, requests get 429 quota_exceeded"],
  ["A record", "256 KiB; 128 attributes with keys of 256 and values of 65,536 characters; a body of 65,536 characters"],
  ["A resource", "Its attributes: 64 KiB, stored once for all records that have them"],
  ["Names", "512 characters for the name of a service, scope or metric, and a unit"],
  ["Times", "From 400 days ago to a day ahead; without a time, a record has that of its receipt"],
  ["retention_days", "1 to 400, default 30"],
] as const;
