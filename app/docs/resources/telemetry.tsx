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
      allows. All records that a request is accepted with are stored, or none. A log record, span or data point with an
      error is refused by itself: <Code>partialSuccess</Code> counts those, and names the first by its place in the
      request. An attribute that cannot be kept is dropped, and its record is stored; without refused records,{" "}
      <Code>errorMessage</Code> names the first of those. A request that fails has a <Code>Status</Code> of{" "}
      <Code>google.rpc</Code> in the media type of the request. While a store is suspended, requests are 409.
    </p>
    <p>
      Fields may have the names of OTLP&apos;s JSON or of its Protobuf, enums numbers or names, and integers are strings
      or numbers. <Code>NaN</Code>, <Code>Infinity</Code> and <Code>-Infinity</Code> are strings, in requests and in
      records. A data point without a recorded value has <Code>no_recorded_value</Code> and no <Code>value</Code>;{" "}
      <Code>value</Code> is a double, and <Code>value_int</Code> has all digits of an integer beyond 2^53 that it lacks.
      Integers of attributes are text with all their digits. A time of 0 is none: a log record then has its{" "}
      <Code>observedTimeUnixNano</Code>. An id of zeros is none too.
    </p>
    <p>
      <Code>GET /v1/observe/&lt;rid&gt;/records</Code> returns records, newest first, of the times from{" "}
      <Code>from</Code> to <Code>to</Code>, and with <Code>contains</Code> those that have a text in their body or name,
      service or attributes. The next page is at <Code>next_cursor</Code>, which tells records of one time apart.
      Records are deleted after <Code>retention_days</Code>, counted from when they were received. Deleting a store
      makes its records unreadable at once and deletes them.
    </p>
    <Definitions label="Limits of telemetry stores" rows={LIMITS} />
    <p>
      What is not there: Protobuf and gRPC, events and links of spans, exemplars, a query language, charts, alerts, and
      a price. <DocsLink href="/docs/production#backups">Backups</DocsLink> have what is in ClickHouse; records of the
      last second may be missing in them.
    </p>
  </DocsSection>
);

const LIMITS = [
  [
    "A request",
    "4 MiB as sent, 16 MiB unpacked with Content-Encoding gzip or x-gzip, and 10,000 records of 16 MiB together",
  ],
  [
    "A store",
    "64 MiB at once and 1 MiB in each second; more is 429. What counts is the request, or its records if they are larger",
  ],
  ["All stores", "Records count toward the quota stored_bytes; at its limit, requests get 429 quota_exceeded"],
  ["A record", "256 KiB; 128 attributes with keys of 256 and values of 65,536 characters; a body of 65,536 characters"],
  ["A resource", "Its attributes: 64 KiB, stored once for all records that have them; further ones are dropped"],
  ["A data point", "1,024 buckets or quantiles"],
  ["Names", "512 characters for the name of a service, scope or metric, and a unit"],
  ["Times", "From 400 days ago to a day ahead; without a time, a record has that of its receipt"],
  ["retention_days", "1 to 400, default 30"],
] as const;
