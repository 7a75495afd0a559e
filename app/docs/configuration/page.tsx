import type { Metadata } from "next";
import type { ReactNode } from "react";
import { Code, Definitions, DocsLink, DocsPage, DocsSection } from "../docs-text";
import { TextWithCode } from "../text-with-code";
import type { Setting } from "./setting";
import { SETTING_GROUPS } from "./settings";

export const metadata: Metadata = { title: "Configuration" };

export default function ConfigurationPage() {
  return (
    <DocsPage
      title="Configuration"
      lead={
        <>
          Every setting is an environment variable with a default.{" "}
          <DocsLink href="/docs/production">Production</DocsLink> shows which ones belong together.
        </>
      }
    >
      <DocsSection id="check" title="How settings are checked">
        <p>
          svc reads the environment once, at its start. A wrong value, or one of several that belong together, ends the
          start with one message that names each of them and what was expected. An empty value counts as not set.
        </p>
      </DocsSection>
      {SETTING_GROUPS.map(({ id, title, settings }) => (
        <DocsSection key={id} id={id} title={title}>
          <Definitions label={title} rows={settings.map((setting) => [setting.names.join(", "), meaningOf(setting)])} />
          {NOTES[id]}
        </DocsSection>
      ))}
    </DocsPage>
  );
}

const meaningOf = ({ meaning, byDefault }: Setting) => (
  <>
    <TextWithCode text={meaning} />
    <span className="mt-1 block">
      Default: <TextWithCode text={byDefault} />
    </span>
  </>
);

/** Where a group of settings is explained. */
const NOTES: Readonly<Record<string, ReactNode>> = {
  addresses: (
    <p>
      <DocsLink href="/docs/production#proxy">Behind a reverse proxy</DocsLink> has examples for Caddy and nginx.
    </p>
  ),
  engines: (
    <p>
      <DocsLink href="/docs/production#processes">Several processes and your own engines</DocsLink> has the versions and
      rights of engines.
    </p>
  ),
  stores: (
    <p>
      <DocsLink href="/docs/production#objects">Stored objects</DocsLink> explains the external store.
    </p>
  ),
  pods: (
    <p>
      <DocsLink href="/docs/pods#operators">Pods</DocsLink> has what each runtime needs and isolates,{" "}
      <DocsLink href="/docs/pods#kubernetes">permissions and limits on Kubernetes</DocsLink>, which has not been run on
      a cluster yet, and what works with <DocsLink href="/docs/pods#plain-processes">plain processes</DocsLink>.
    </p>
  ),
  offers: (
    <p>
      <DocsLink href="/docs/production#embeddings">Finding offers by meaning</DocsLink> explains embeddings,{" "}
      <DocsLink href="/docs/pricing">Ranking and prices</DocsLink> the reserve price.
    </p>
  ),
  chat: (
    <p>
      The format of the file is in <DocsLink href="/docs/chat#operators">Chat gateway</DocsLink>; the events of Stripe
      are in <DocsLink href="/docs/billing#stripe">Usage and invoices</DocsLink>. Without <Code>CHAT_UPSTREAMS</Code>{" "}
      tenants can still add upstreams of their own.
    </p>
  ),
};
