import { Call } from "../call";
import { DocsCode } from "../docs-code";
import { Code, Definitions, DocsLink, DocsSection } from "../docs-text";
import { CACHED, OFFERS, OFFERS_ANSWER, SETTINGS } from "./examples";
import { ENDINGS } from "./tables";

export const Budgets = () => (
  <DocsSection id="budgets" title="Budgets">
    <p>
      A budget limits the requests of a project, or with <Code>key_id</Code> those of one API key, per day or month of
      UTC: in money, in tokens of prompts and answers together, or in both. With{" "}
      <Code>&quot;action&quot;: &quot;notify&quot;</Code> nothing is refused.
    </p>
    <Call
      title="Create a budget"
      call="POST /v1/gateway/budgets"
      isIdempotent
      body={{ name: "Quick start", amount_micros: 5_000_000, tokens: 1_000_000, window: "day", action: "notify" }}
    />
    <p>
      A request is admitted only if what was spent, what running requests have reserved and what it can cost itself fit
      into every budget that applies, exactly and in all processes. It reserves the price of its prompt, which is
      estimated, and of <Code>max_completion_tokens</Code> (or <Code>max_tokens</Code>), or of 1,024 tokens where it
      limits its answer in neither way. At its end it is billed what it really cost, so a budget is exceeded by at most
      what running answers exceed their reservations: limit your answers. A refused request is{" "}
      <Code>budget_exceeded</Code> and is in the log.
    </p>
    <p>
      The events <Code>gateway.budget.reached</Code> at 80 % and 100 % come once per window. A budget counts requests
      that begin after it was created; test mode counts simulated costs.
    </p>
  </DocsSection>
);

export const Usage = () => (
  <DocsSection id="usage" title="What a request costs">
    <p>
      Tokens times the price of the upstream that answered, in micros (10<sup>-6</sup>) of the currency, exact to a
      thousandth of a micro. Each request is billed once. This is what your budgets count, and not a charge: svc takes
      no money for chat.
    </p>
    <Definitions label="What is billed" rows={ENDINGS} />
    <Call title="Tokens and cost of the last 7 days" call="GET /v1/gateway/usage?group_by=day,model" />
    <p>
      <Code>group_by</Code> takes <Code>day</Code>, <Code>hour</Code>, <Code>model</Code>, <Code>key</Code> and{" "}
      <Code>upstream</Code>. Latency is the median and the 95th percentile of successful answers that did not come from
      the cache.
    </p>
  </DocsSection>
);

export const Log = () => (
  <DocsSection id="log" title="Log of requests">
    <Call title="List the newest requests" call="GET /v1/gateway/requests?limit=5" />
    <p>
      The log has the metadata of each request for 30 days: model, upstream, status, tokens, cost, latency. Requests
      that are refused before budgets are checked, for example for an unknown model, are not in it. What requests and
      answers say is stored only if you switch it on for the project and mode, encrypted, up to 65,536 characters each:
    </p>
    <DocsCode label="Shell" code={SETTINGS} language="bash" />
    <p>
      <Code>GET /v1/gateway/requests/&#123;id&#125;</Code> then returns them as <Code>bodies</Code>, to everyone with{" "}
      <Code>gateway:read</Code>. Switching it off does not delete what was stored.
    </p>
  </DocsSection>
);

export const Cache = () => (
  <DocsSection id="cache" title="Cache">
    <p>
      The cache serves a request that is equal to an earlier one of the same project and mode, field by field; only{" "}
      <Code>stream</Code> and <Code>stream_options</Code> may differ. It is off unless a request has{" "}
      <Code>svc_cache</Code> or the project has <Code>cache_seconds</Code> in its settings:
    </p>
    <DocsCode label="POST /v1/chat/completions" code={CACHED} language="json" />
    <p>
      <Code>true</Code> means the time of the settings, or an hour; <Code>false</Code> neither reads nor stores. Answers
      from the cache cost nothing and have the header <Code>x-svc-cache: hit</Code>. Only complete answers are stored,
      encrypted; of streams, those of which svc understands every part. One that is not UTF-8 is not stored. Requests
      with offers are not cached, and embeddings are not either.
    </p>
  </DocsSection>
);

export const Offers = () => (
  <DocsSection id="offers" title="Sponsored offers in answers">
    <p>
      Off by default: <Code>svc_offers</Code> of a request, or <Code>offers_default</Code> of the project&apos;s
      settings, adds sponsored offers of one of your <DocsLink href="/docs/publishers">channels</DocsLink> to the
      prompt. They are matched with the last message of the user, as the offers API would, in the mode of the key.
    </p>
    <DocsCode label="POST /v1/chat/completions" code={OFFERS} language="json" />
    <p>
      The offers are appended to the system prompt between two lines with a random number. The prompt says that they are
      data of advertisers and not instructions, that it should mention one only where it helps, and that it must write
      “Sponsored” beside it and link to its click URL. A prompt cannot force a model: before you show an answer, check
      that a mentioned offer is disclosed. The response says which ones it mentions; a stream says so in an event of its
      own before <Code>[DONE]</Code>:
    </p>
    <DocsCode label="Response" code={OFFERS_ANSWER} language="json" />
    <Definitions
      label="How offers count"
      rows={[
        [
          "Impression",
          "Counted once when the answer has the offer's exact title or its click URL, as one that the publisher's server reports. Where the title has fewer than 4 characters, only the URL counts.",
        ],
        ["Click", "Counted when the click URL is followed; the rules for invalid clicks apply."],
        [
          "Neither",
          "An offer that the answer does not mention, or whose answer was cut off because the client left, is not counted and costs the advertiser nothing.",
        ],
        ["user_id", "A keyed hash of your user, by which frequency caps count; without it no caps apply."],
        [
          "No offers",
          "Nothing matches, or the offers product is not available: the request continues without offers. svc_offers: null switches the project's default off.",
        ],
      ]}
    />
    <p>
      Reports of the channel show these events under the placement <Code>chat_gateway</Code>. With{" "}
      <Code>offers_default</Code> alone, the response has no <Code>svc_offers</Code>: clients that do not know the field
      see an ordinary answer.
    </p>
  </DocsSection>
);
