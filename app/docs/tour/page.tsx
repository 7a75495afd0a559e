import type { Metadata } from "next";
import { DocsCode } from "../docs-code";
import { Code, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { CloudSteps } from "./cloud-steps";
import { COMMAND_LINE, EXPLAIN, OFFERS, ORDER, REPORTS, SETUP } from "./examples";
import { WorkloadSteps } from "./workload-steps";

export const metadata: Metadata = { title: "Tour" };

export default function TourPage() {
  return (
    <DocsPage title="Tour" lead="What svc can do, in the order in which it is easiest to try on a fresh installation.">
      <InBrowser />
      <Publisher />
      <Shell />
      <Offers />
      <Order />
      <CommandLine />
      <CloudSteps />
      <WorkloadSteps />
    </DocsPage>
  );
}

const InBrowser = () => (
  <DocsSection id="browser" title="In the browser">
    <p>
      Open the address that <Code>npm start</Code> prints, with its host name: cookies, links and the origins of browser
      keys belong to that name, so <Code>http://127.0.0.1:3000</Code> is not the same as{" "}
      <Code>http://localhost:3000</Code>.
    </p>
    <p>
      On the <DocsLink href="/demo">demo page</DocsLink>, search for &quot;headphones&quot;, wait a second until the
      offer has been counted as viewed, and click it. Then log in to the{" "}
      <DocsLink href="/dashboard">dashboard</DocsLink> with the demo login of the box. The demo page&apos;s traffic is
      in live mode, in which the demo&apos;s dashboard opens; the impression and the click, on the channel{" "}
      <em>Demo site</em>, are in its reports a few seconds later. The days before are simulated, on channels marked{" "}
      <em>(simulated)</em>.
    </p>
  </DocsSection>
);

const Publisher = () => (
  <DocsSection id="publisher" title="As a publisher of your own">
    <p>
      Sign up, and create a channel and a browser key. The channel&apos;s origin is the origin of the page that will
      show the offers, for example <Code>http://localhost:8080</Code> for a page that you serve with{" "}
      <Code>npx http-server -p 8080</Code>. Paste the <DocsLink href="/docs/publishers#page">script tag</DocsLink> of
      the channel&apos;s page into it. That page offers layout, theme, limit and placement with a live preview, as HTML,
      JavaScript, React or a call from a server; <em>Pin this version</em> names an immutable file with its SRI hash.
    </p>
    <p>
      The JavaScript API, theming, CSP and consent are in <Code>widget/README.md</Code> of the source; React, a client
      for servers and a prompt block in <Code>sdk/README.md</Code>. The widget and the dashboard were tested in Chromium
      156 and in no other browser.
    </p>
    <p>
      A campaign of your own with <Code>{'reach: "network"'}</Code> serves on other tenants&apos; channels after you
      have opened the link that confirms your email address (it is on the{" "}
      <DocsLink href="/account/outbox">outbox page</DocsLink>) and an operator has credited your balance:{" "}
      <Code>npm run svc -- admin credit ten_… 100</Code>. The campaign&apos;s page says what is missing.
    </p>
  </DocsSection>
);

const Shell = () => (
  <DocsSection id="shell" title="In a shell">
    <p>
      The remaining steps run in a shell (bash or zsh), in the folder of svc, in this order. The first lines read the
      address and the keys of the demo from the file that the box names.
    </p>
    <DocsCode label="Shell" code={SETUP} language="bash" />
  </DocsSection>
);

const Offers = () => (
  <DocsSection id="offers" title="Offers and reports">
    <p>Request offers as a publisher&apos;s server would:</p>
    <DocsCode label="Shell" code={OFFERS} language="bash" />
    <p>Manage ads as an API client would, with a platform key:</p>
    <DocsCode label="Shell" code={REPORTS} language="bash" />
    <p>
      On the dashboard, a campaign&apos;s page shows spend against the plan of the day and imports a product feed of up
      to 1 GiB, with progress and an error for each rejected line, or fetches it from a URL every few hours. A
      report&apos;s filters, columns and order are in the address, so it can be shared as a link.
    </p>
    <p>
      See why an offer won or lost, on the dashboard&apos;s <DocsLink href="/offers/explain">Explain</DocsLink> page or
      by API; <DocsLink href="/docs/pricing">Ranking and prices</DocsLink> says how to read it:
    </p>
    <DocsCode label="Shell" code={EXPLAIN} language="bash" />
  </DocsSection>
);

const Order = () => (
  <DocsSection id="order" title="A click and an order">
    <p>
      Click an offer and report an order, as an advertiser&apos;s server would. The landing page gets the click ID as{" "}
      <Code>svc_click_id</Code>. The order is attributed to its last click, or else its last view, within the
      campaign&apos;s windows, and counts once.
    </p>
    <DocsCode label="Shell" code={ORDER} language="bash" />
  </DocsSection>
);

const CommandLine = () => (
  <DocsSection id="command-line" title="The command line">
    <p>
      All of this also works with the command line <Code>svc</Code>. The key is read from standard input, because other
      users of a computer can see the arguments of a running command.
    </p>
    <DocsCode label="Shell" code={COMMAND_LINE} language="bash" />
    <p>
      Without <Code>--key</Code>, <Code>svc login</Code> prompts for email and password. <Code>npm run svc --</Code>{" "}
      runs the command line without installing it. <Code>svc --help</Code> lists the commands;{" "}
      <Code>sdk/README.md</Code> also shows how to call the same operations from TypeScript.
    </p>
  </DocsSection>
);
