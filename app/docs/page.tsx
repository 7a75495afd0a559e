import { ArrowRight, Code2, LayoutTemplate, Megaphone, Server } from "lucide-react";
import { Link } from "../components/ui/link";
import { DocsLink, DocsPage, DocsSection } from "./docs-text";

const QUICK_STARTS = [
  {
    href: "/docs/publishers",
    icon: LayoutTemplate,
    title: "Publishers",
    text: "Show offers on a page or in a chat: with a script tag, or one call from your server.",
  },
  {
    href: "/docs/advertisers",
    icon: Megaphone,
    title: "Advertisers",
    text: "Create a campaign, import products, choose where it serves, and measure orders.",
  },
  {
    href: "/docs/api-clients",
    icon: Code2,
    title: "API clients",
    text: "Manage channels, campaigns, keys and projects with a platform key, from any language.",
  },
  {
    href: "/docs/operators",
    icon: Server,
    title: "Operators",
    text: "Start and monitor svc, set limits, reset passwords, back up and restore.",
  },
];

export default function DocsIndex() {
  return (
    <DocsPage
      title="Documentation"
      lead="Start with what you want to do. Every example runs on the page, with your own key."
    >
      <ul className="mt-8 grid gap-4 sm:grid-cols-2">
        {QUICK_STARTS.map(({ href, icon: Icon, title, text }) => (
          <li key={href}>
            <Link
              href={href}
              className="group flex h-full flex-col rounded-xl border bg-card p-5 shadow-xs transition-colors hover:border-primary"
            >
              <Icon aria-hidden className="size-5 text-primary" />
              <span className="mt-3 font-semibold">{title}</span>
              <span className="mt-1 flex-1 text-muted-foreground text-sm leading-6">{text}</span>
              <span className="mt-3 inline-flex items-center gap-1.5 font-medium text-primary text-sm">
                Quick start
                <ArrowRight aria-hidden className="size-4 transition-transform group-hover:translate-x-0.5" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <DocsSection id="new" title="New here?">
        <p>
          The <DocsLink href="/docs/tour">tour</DocsLink> goes through both products with commands to copy.
        </p>
      </DocsSection>
      <ApisSection />
      <ConceptsSection />
    </DocsPage>
  );
}

const ApisSection = () => (
  <DocsSection id="apis" title="Two APIs on one account">
    <p>
      The <DocsLink href="/docs/reference/offers">offers API</DocsLink> under{" "}
      <code className="font-mono text-sm">/api/v1</code> serves offers and records clicks, impressions and signals. It
      uses a channel key. The <DocsLink href="/docs/reference/platform">platform API</DocsLink> under{" "}
      <code className="font-mono text-sm">/v1</code> manages keys, projects, channels, campaigns and reports, and has
      the cloud services: queues, object storage, secrets and a chat gateway. It uses a platform key with scopes. S3
      clients and OpenAI&apos;s clients work with it as they are.
    </p>
  </DocsSection>
);

const ConceptsSection = () => (
  <DocsSection id="concepts" title="Concepts">
    <ul className="list-disc space-y-1.5 pl-5">
      <li>
        <DocsLink href="/docs/keys">Keys, scopes and modes</DocsLink>: what a key can do, and how test mode works.
      </li>
      <li>
        <DocsLink href="/docs/errors">Errors and retries</DocsLink>: the error format, the error codes, and safe
        retries.
      </li>
      <li>
        <DocsLink href="/docs/limits">Limits and pages</DocsLink>: request rates, quotas and pagination.
      </li>
      <li>
        <DocsLink href="/docs/feeds">Product feeds</DocsLink>: formats, and the attributes that are read.
      </li>
      <li>
        <DocsLink href="/docs/pricing">Ranking and prices</DocsLink>: how an offer is chosen, and what it costs.
      </li>
      <li>
        <DocsLink href="/docs/webhooks">Webhooks</DocsLink> and <DocsLink href="/docs/events">events</DocsLink>: how
        your servers are notified, and every kind of event.
      </li>
      <li>
        <DocsLink href="/docs/pods">Pods</DocsLink>: processes from container images, metered by the second.
      </li>
      <li>
        <DocsLink href="/docs/sandboxes">Sandboxes</DocsLink>: isolated environments for untrusted code.
      </li>
      <li>
        <DocsLink href="/docs/workspaces">Workspaces</DocsLink>: machines to write programs on, with an editor in the
        browser.
      </li>
      <li>
        <DocsLink href="/docs/functions">Functions</DocsLink>: JavaScript that runs when it is called.
      </li>
      <li>
        <DocsLink href="/docs/edge">Edge functions</DocsLink>: JavaScript that responds to the requests of a host.
      </li>
      <li>
        <DocsLink href="/docs/queues">Queues</DocsLink>: durable messages between your programs, in order.
      </li>
      <li>
        <DocsLink href="/docs/storage">Object storage</DocsLink>: buckets with the S3 API and presigned URLs.
      </li>
      <li>
        <DocsLink href="/docs/shield">Shield scans</DocsLink>: keys, passwords and personal data in buckets.
      </li>
      <li>
        <DocsLink href="/docs/secrets">Secrets</DocsLink>: encrypted values with versions, used by name.
      </li>
      <li>
        <DocsLink href="/docs/chat">Chat gateway</DocsLink>: language models behind OpenAI&apos;s API, with budgets.
      </li>
      <li>
        <DocsLink href="/docs/agents">Agents</DocsLink>: svc as tools for agents, with the rights of an API key.
      </li>
      <li>
        <DocsLink href="/docs/configuration">Configuration</DocsLink>,{" "}
        <DocsLink href="/docs/production">production</DocsLink> and <DocsLink href="/docs/security">security</DocsLink>:
        what operators set, run and protect.
      </li>
    </ul>
  </DocsSection>
);
