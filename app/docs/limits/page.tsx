import type { Metadata } from "next";
import { Code, DocsPage, DocsSection, Meanings, To } from "../docs-text";
import { KeyField } from "../key-field";
import { Snippet } from "../snippet";

export const metadata: Metadata = { title: "Limits and pages" };

export default function LimitsPage() {
  return (
    <DocsPage title="Limits and pages" lead="How fast you may ask, how much you may have, and how to read long lists.">
      <DocsSection id="rates" title="Rate limits">
        <p>
          A platform key may make 600 requests a minute for as long as it likes, unless your operator set another rate.
          After a pause 400 pass at once, so that no minute sees more than 1,000. Product feeds may be sent 20 times a
          minute. Calls without a valid key count for their address.
        </p>
        <Meanings
          label="Headers of rate limits"
          rows={[
            ["ratelimit-limit", "Requests that a minute sustains."],
            ["ratelimit-remaining", "Requests that would pass now."],
            ["ratelimit-reset", "Seconds until the full burst is there again; on 429, until the next request passes."],
            ["RateLimit, RateLimit-Policy", "The same in the form of the IETF's current draft."],
            ["Retry-After", "On 429 rate_limited: seconds to wait."],
          ]}
        />
      </DocsSection>
      <DocsSection id="quotas" title="Quotas">
        <p>
          There is a limit to what a tenant may have of most things, such as projects, keys, channels and campaigns.
          What is used of each is on the dashboard and in the API, for keys with the scope <Code>usage:read</Code>.
          Beyond a limit the answer is 429 <Code>quota_exceeded</Code>, without <Code>Retry-After</Code>: waiting does
          not help. Free something, or ask your operator for more.
        </p>
        <KeyField kind="platform" />
        <Snippet title="List limits and their use" request={{ method: "GET", path: "/v1/quotas", key: "platform" }} />
      </DocsSection>
      <DocsSection id="pages" title="Pages of lists">
        <p>
          A list answers <Code>{'{ "data": […], "next_cursor": "cur_…" }'}</Code>. Send <Code>next_cursor</Code> as{" "}
          <Code>cursor</Code> for the next page; on the last one it is null. <Code>limit</Code> is 100 unless you say
          otherwise and at most 1000. A cursor is good for 24 hours, for your tenant and for the same filters. What is
          added while you read neither repeats nor hides a line.
        </p>
        <Snippet
          title="Read one campaign a page"
          request={{ method: "GET", path: "/v1/ads/campaigns?limit=1", key: "platform" }}
        />
      </DocsSection>
      <DocsSection id="offers" title="The offers API">
        <p>
          Server keys have no rate limit unless your operator sets one. Browser keys, impressions and clicks are limited
          for each visitor&apos;s address. The fields and their bounds are in the{" "}
          <To href="/docs/reference/offers">reference</To>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
