import { ArrowRight, Code2, Megaphone, Server } from "lucide-react";
import Link from "next/link";
import { DocsPage, DocsSection, To } from "./docs-text";

const DOORS = [
  {
    href: "/docs/publishers",
    icon: Megaphone,
    title: "I publish",
    text: "Show offers on a page or in an answer: a script tag, or one call from your server.",
  },
  {
    href: "/docs/api-clients",
    icon: Code2,
    title: "I call the API",
    text: "Manage channels, campaigns, keys and projects with a platform key, from any language.",
  },
  {
    href: "/docs/operators",
    icon: Server,
    title: "I run svc",
    text: "Start it, watch it, set limits, reset a password, back up and restore.",
  },
];

export default function DocsIndex() {
  return (
    <DocsPage
      title="Documentation"
      lead="Begin with what you want to do. Every example runs on the page, with your own key."
    >
      <ul className="mt-8 grid gap-4 sm:grid-cols-3">
        {DOORS.map(({ href, icon: Icon, title, text }) => (
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
      <DocsSection id="apis" title="Two APIs on one account">
        <p>
          The <To href="/docs/reference/offers">offers API</To> under <code className="font-mono text-sm">/api/v1</code>{" "}
          serves: offers, clicks, impressions, signals. It takes the key of a channel. The{" "}
          <To href="/docs/reference/platform">platform API</To> under <code className="font-mono text-sm">/v1</code>{" "}
          manages: keys, projects, channels, campaigns, reports. It takes a platform key with scopes.
        </p>
      </DocsSection>
      <DocsSection id="concepts" title="What holds everywhere">
        <ul className="list-disc space-y-1.5 pl-5">
          <li>
            <To href="/docs/keys">Keys, scopes and modes</To>: what a key may do, and where nothing costs anything.
          </li>
          <li>
            <To href="/docs/errors">Errors and retries</To>: one body, one list of codes, and how to repeat safely.
          </li>
          <li>
            <To href="/docs/limits">Limits and pages</To>: how fast you may ask, and how to read long lists.
          </li>
        </ul>
      </DocsSection>
    </DocsPage>
  );
}
