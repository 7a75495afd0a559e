import { Code, Definitions, DocsSection } from "../docs-text";

/** What still works while an engine is unavailable. */
export const Failures = () => (
  <DocsSection id="failures" title="When an engine is unavailable">
    <p>
      Nothing that does not need an engine stops with it. A start or an upgrade that is killed at any moment is
      completed by the next start, and an embedded engine that exits is started again.
    </p>
    <Definitions
      label="What happens without"
      rows={[
        [
          "PostgreSQL",
          "After 3 seconds without a response, requests that need it get 503 with Retry-After. A click still redirects on the processes that know its offer. /readyz is 503.",
        ],
        [
          "ClickHouse",
          "Reports fail and events wait in the write-ahead file. From 70 % of its limit on, events are dropped by priority: requests, uncounted impressions, uncounted clicks, served offers; charges and orders never. /readyz is 200 with the status degraded.",
        ],
        [
          "Redis",
          "Rate limits do not apply and rate headers are absent, capped campaigns pause, and login and sign-up get 503. /readyz is 200 with the status degraded.",
        ],
        [
          "The disk",
          "/readyz is 503 while it accepts no writes or has less than 64 MB left. The embedded ClickHouse then starts no insert and no merge, and is restarted once there is space again, because ClickHouse may commit an incomplete merge on a full disk; set keep_free_space_bytes on a server of your own.",
        ],
      ]}
    />
    <p>
      A row that ClickHouse rejects is kept in <Code>dead-letters.ndjson</Code> of the data directory, 64 MiB at most,
      and counted in <Code>svc_facts_refused_total</Code>. Move the file away to make room.
    </p>
  </DocsSection>
);
