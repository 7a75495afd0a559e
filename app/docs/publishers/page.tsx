import type { Metadata } from "next";
import { surfaces } from "../../../server/surfaces";
import { CodeBlock } from "../../components/ui/code-block";
import { Code, DocsPage, DocsSection, To } from "../docs-text";
import { KeyField } from "../key-field";
import { Snippet } from "../snippet";

export const metadata: Metadata = { title: "For publishers" };

const tagOf = (publicUrl: string) => `<script async src="${publicUrl}/widget.js" data-key="svc_pub_…"></script>
<div data-svc-offers data-query="running shoes" data-limit="3"></div>`;

export default function PublishersPage() {
  const { publicUrl } = surfaces();
  return (
    <DocsPage title="For publishers" lead="Offers that fit what people read, on a page or in an answer.">
      <DocsSection id="channel" title="1. Create a channel">
        <p>
          A channel is one surface of yours: a site, an app, a chat. Create it in the{" "}
          <To href="/channels">dashboard</To>, with the origins of its pages, then create a key: a browser key (
          <Code>svc_pub_…</Code>) for pages, a server key (<Code>svc_srv_…</Code>) for servers.
        </p>
      </DocsSection>
      <DocsSection id="page" title="2. Paste the script tag">
        <p>The widget asks for offers, draws them and reports those that were really seen.</p>
        <CodeBlock label="HTML" code={tagOf(publicUrl)} />
        <p>
          Your channel&apos;s page in the dashboard writes the tag with your key, with a preview of its layouts and
          themes.
        </p>
      </DocsSection>
      <DocsSection id="server" title="3. Or ask from your server">
        <p>
          One call brings one offer, or as many as its <Code>limit</Code> says, up to eight. When nothing fits, the list
          is empty: that is no error.
        </p>
        <KeyField kind="channel" />
        <Snippet
          title="Ask for offers"
          request={{
            method: "POST",
            path: "/api/v1/offers",
            key: "channel",
            body: { query: "wireless headphones", limit: 3 },
          }}
          keep={["offers.0.id", "offer_id"]}
        />
        <p>
          Show an offer with its <Code>clickUrl</Code> as the link, unchanged: it counts the click and redirects to the
          landing page. Report an offer when half of it was in view for a second, within two hours after it was served.
          It counts once, however often it is reported.
        </p>
        <Snippet
          title="Report an impression"
          request={{
            method: "POST",
            path: "/api/v1/impressions/batch",
            key: "channel",
            body: { ids: ["<offer_id>"] },
          }}
        />
      </DocsSection>
      <DocsSection id="more" title="Where to go on">
        <p>
          All fields are in the <To href="/docs/reference/offers">reference of the offers API</To>. What was served,
          seen and clicked, and what you earned, is on the dashboard&apos;s <To href="/reports">reports</To>; why an
          offer won or lost is on <To href="/explain">Explain</To>.
        </p>
      </DocsSection>
    </DocsPage>
  );
}
