import type { Metadata } from "next";
import { Call } from "../call";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";

export const metadata: Metadata = { title: "Limits and pages" };

export default function LimitsPage() {
  return (
    <DocsPage title="Limits and pages" lead="Request rates, quotas, and pagination.">
      <RatesSection />
      <InputsSection />
      <QuotasSection />
      <UsageSection />
      <PagesSection />
      <DocsSection id="offers" title="The offers API">
        <p>
          Server keys have no rate limit unless your operator sets one. Browser keys, impressions and clicks are limited
          per visitor address. The fields and their limits are in the{" "}
          <DocsLink href="/docs/reference/offers">reference</DocsLink>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const RatesSection = () => (
  <DocsSection id="rates" title="Rate limits">
    <p>
      A platform key can make a sustained 600 requests per minute, unless your operator has set another rate. Bursts of
      up to 400 are allowed, so that no minute exceeds 1,000. Product feeds are limited to 20 per minute and reports to
      120 per minute. Calls without a valid key are limited by IP address. The dashboard has the same limits per user.
    </p>
    <p>
      A batch counts as one request for each 50 of its elements, before any of them is used: messages and receipts of
      queues, and objects that are deleted together, also at the S3 endpoint. So a batch of 50 costs as much as a single
      element, and one of 1,000 keys as much as 20 requests. A batch that is refused has done nothing.
    </p>
    <p>
      svc runs at most 32 calls at a time, and at most half of the free places go to one account. Further calls wait for
      their turn, so that one account does not delay the others. An account runs one call with a body of more than 256
      KiB at a time.
    </p>
    <p>
      The S3 endpoint has a limit of its own, which does not count against the others: 60,000 requests per minute and
      key, and 6,000 per minute and IP address without credentials. Beyond it the response is 503 <Code>SlowDown</Code>{" "}
      with <Code>Retry-After</Code>, which S3 clients retry.
    </p>
    <Definitions
      label="Headers of rate limits"
      rows={[
        ["ratelimit-limit", "Sustained requests per minute."],
        ["ratelimit-remaining", "Requests available now."],
        ["ratelimit-reset", "Seconds until the full burst is available; on 429, until the next request is allowed."],
        ["RateLimit, RateLimit-Policy", "The same in the format of the current IETF draft."],
        ["Retry-After", "On 429 rate_limited: seconds to wait."],
      ]}
    />
  </DocsSection>
);

const InputsSection = () => (
  <DocsSection id="inputs" title="Inputs and feeds">
    <p>
      A JSON input has at most 256 KiB, 32 levels and 10,000 values; a request to a model 20 MiB. A product feed has at
      most 1 GiB, sent and decompressed, and 5 million rows; it can decompress to at most 100 times its size, and is
      aborted after 60 seconds without data or 4 MiB without a product. One import per campaign and three per tenant can
      run at the same time; further ones get 409 <Code>import_running</Code> or 429 <Code>too_many_imports</Code>.
      Products stored before an import fails are kept.
    </p>
  </DocsSection>
);

const QuotasSection = () => (
  <DocsSection id="quotas" title="Quotas">
    <p>
      Most resources have a quota per tenant, such as projects, keys, channels, campaigns, creatives (20,000), products
      (100,000), buckets (100), bytes of objects (100 GiB) and secrets (1,000). The dashboard and the API show the
      usage, for keys with the scope <Code>usage:read</Code>. Beyond a quota the response is 429{" "}
      <Code>quota_exceeded</Code>, without <Code>Retry-After</Code>, because waiting does not help. Delete something, or
      ask your operator for a higher limit. A feed that exceeds the quota of products is stored up to the last full
      batch of 1,000 rows, and the error states the count; with <Code>mode=replace</Code> the products that it replaces
      do not count.
    </p>
    <p>
      The quota <Code>stored_bytes</Code> (100 GiB) is for everything together: objects, messages in queues, KV
      namespaces, SQL databases, volumes, the files and output of pods, sandboxes and workspaces, records of telemetry
      stores, functions and edge functions with their code, calls and log lines, and checkpoints and snapshots. An SQL
      database counts as PostgreSQL stores it, an empty one for about 8 MiB; volumes and pods as their node has stored
      them, which it reports every few seconds where it gives them disks of limited size (
      <Code>RUNTIME=namespaces</Code> as root, volumes with Docker too); records compressed, which is estimated, and for
      a minute as they were sent. At the limit, calls that store more get 429 <Code>quota_exceeded</Code>, whose{" "}
      <Code>details</Code> list what takes how many bytes, the largest first, and how to free some; reading, receiving
      and deleting still work, in SQL databases DELETE, TRUNCATE and DROP. No pod, sandbox or workspace is created then,
      and no volume made or enlarged; programs that run write on, up to the sizes of their disks and volumes. What is
      deleted no longer counts within a minute, messages within two; an account that stores very much is counted less
      often. Calls at the same time can exceed the limit by what all of svc&apos;s processes accept in about a second.
      Besides, objects have the quota <Code>storage_bytes</Code>, checkpoints and snapshots{" "}
      <Code>checkpoint_bytes</Code>, SQL databases <Code>edge_databases</Code> and a size of 64 MiB, and the sizes of
      volumes <Code>volume_gb</Code>.
    </p>
    <KeyField kind="platform" />
    <Call title="List quotas and usage" call="GET /v1/quotas" />
  </DocsSection>
);

const UsageSection = () => (
  <DocsSection id="usage" title="Requests by key">
    <p>
      The dashboard&apos;s <DocsLink href="/account/usage">Usage</DocsLink> page and the API show how many requests each
      platform key and channel key made, by hour (31 days at most per call) or by day of UTC (400 days), and how many of
      them failed: client errors, 429 for exceeded rate limits and quotas, and server errors. Revoked keys are included.
      Requests without a valid key, with a session, and clicks and impressions that browsers report without a key are
      not counted. A platform key reads the counts of its mode: all channel keys, and the platform keys of its project.
    </p>
    <p>
      Requests appear within seconds. The counts are statistics, not a record for billing: a server process that is
      killed loses those of its last seconds, and while ClickHouse is unavailable they are kept in memory.
    </p>
    <Call title="Requests of the last 48 hours" call="GET /v1/usage/requests?interval=hour" />
  </DocsSection>
);

const PagesSection = () => (
  <DocsSection id="pages" title="Pagination">
    <p>
      A list returns <Code>{'{ "data": […], "next_cursor": "cur_…" }'}</Code>. Send <Code>next_cursor</Code> as{" "}
      <Code>cursor</Code> for the next page; on the last page it is null. <Code>limit</Code> defaults to 100 and is at
      most 1000. A cursor is valid for 24 hours, for your tenant and the same filters. Items that are added while you
      page through a list cause neither duplicates nor gaps.
    </p>
    <Call title="List one campaign per page" call="GET /v1/ads/campaigns?limit=1" />
  </DocsSection>
);
