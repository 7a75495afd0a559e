import type { Metadata } from "next";
import { Call } from "../call";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { KeyField } from "../key-field";
import { ScriptTag } from "./script-tag";
import { SCRIPT_ATTRIBUTES, SLOT_ATTRIBUTES } from "./widget-attributes";

export const metadata: Metadata = { title: "For publishers" };

export default function PublishersPage() {
  return (
    <DocsPage title="For publishers" lead="Offers that match what people read, on a page or in a chat.">
      <ChannelSection />
      <DocsSection id="page" title="2. Paste the script tag">
        <p>The widget requests offers, renders them and reports visible impressions.</p>
        <ScriptTag />
        <p>
          Your channel&apos;s page in the dashboard generates the tag with your key, and previews its layouts and
          themes.
        </p>
      </DocsSection>
      <AttributesSection />
      <ServerSection />
      <DocsSection id="earnings" title="4. Follow your earnings">
        <p>
          <DocsLink href="/offers/balance">Balance</DocsLink> in the dashboard shows what you earned from campaigns of
          other tenants: available, pending and clawed back, with a statement for each month to download. House offers
          and your own campaigns earn nothing. <DocsLink href="/docs/statements">Balance and statements</DocsLink> has
          the details.
        </p>
      </DocsSection>
      <DocsSection id="more" title="Next steps">
        <p>
          All fields are in the <DocsLink href="/docs/reference/offers">reference of the offers API</DocsLink>. The
          dashboard&apos;s <DocsLink href="/offers/reports">reports</DocsLink> show what was served, seen and clicked,
          and what you earned; <DocsLink href="/offers/explain">Explain</DocsLink> shows why an offer won or lost.
        </p>
      </DocsSection>
    </DocsPage>
  );
}

const ChannelSection = () => (
  <DocsSection id="channel" title="1. Create a channel">
    <p>
      A channel is a place where you show offers: a site, an app or a chat. Create it in the{" "}
      <DocsLink href="/offers/channels">dashboard</DocsLink>, with the origins of its pages, then create a key: a
      browser key (<Code>svc_pub_…</Code>) for pages, a server key (<Code>svc_srv_…</Code>) for servers.
    </p>
    <p>
      A channel&apos;s strictness sets how likely an offer must fit a request before it is shown. <Code>relaxed</Code>{" "}
      fills more requests but shows more offers that do not fit; <Code>strict</Code> shows fewer of these but leaves
      more requests empty, and never fills a place with an item of another kind, such as a wireless mouse beside
      wireless headphones; <Code>balanced</Code>, the default, is between the two. You can change it at any time, on the
      channel&apos;s page or as <Code>strictness</Code> in the{" "}
      <DocsLink href="/docs/reference/platform">platform API</DocsLink>; a change applies within seconds.{" "}
      <DocsLink href="/offers/explain">Explain</DocsLink> shows the probability that an offer fits a request, and the
      threshold of the channel&apos;s strictness.
    </p>
    <p>
      The ranking also uses what visitors clicked for the same words, on your channel and on all channels. For this, svc
      stores at most four words of the query with an offer: only words that occur in catalogue items, and none if the
      visitor&apos;s consent does not allow it.
    </p>
  </DocsSection>
);

const AttributesSection = () => (
  <DocsSection id="attributes" title="Attributes of the widget">
    <p>
      Attributes of the script tag apply to the whole page. Each slot, an element of the page, has attributes of its
      own.
    </p>
    <Definitions label="Attributes of the script tag" rows={SCRIPT_ATTRIBUTES} />
    <Definitions label="Attributes of a slot" rows={SLOT_ATTRIBUTES} />
    <p>
      The widget observes slots that are added, changed or removed, and navigation within the page. A slot requests
      offers when it is at most one screen away.
    </p>
  </DocsSection>
);

const ServerSection = () => (
  <DocsSection id="server" title="3. Or call the API from your server">
    <p>
      One call returns one offer, or up to eight with <Code>limit</Code>. When nothing matches, the list is empty; that
      is not an error.
    </p>
    <KeyField kind="channel" />
    <Call
      title="Request offers"
      call="POST /api/v1/offers"
      auth="channel"
      body={{ query: "wireless headphones", limit: 3 }}
      saveAs={["offers.0.id", "offer_id"]}
    />
    <p>
      Show an offer with its <Code>clickUrl</Code> as the link, unchanged: it counts the click and redirects to the
      landing page. Report an impression when half of the offer was visible for one second, within two hours after it
      was served. It counts once, however often it is reported.
    </p>
    <Call
      title="Report an impression"
      call="POST /api/v1/impressions/batch"
      auth="channel"
      body={{ ids: ["<offer_id>"] }}
    />
  </DocsSection>
);
