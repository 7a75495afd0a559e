import { Code, Definitions, DocsSection } from "../docs-text";

/** Probes, metrics and alarms in the log. */
export const Monitoring = () => (
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
