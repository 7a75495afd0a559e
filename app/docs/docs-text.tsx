import type { ReactNode } from "react";
import { Link } from "../components/ui/link";
import { DocsPager } from "./docs-pager";
import { Outline } from "./outline";

/** A page of the documentation. */
export const DocsPage = ({ title, lead, children }: { title: string; lead: ReactNode; children: ReactNode }) => (
  <div className="gap-8 xl:grid xl:grid-cols-[minmax(0,48rem)_minmax(0,1fr)]">
    <article className="min-w-0 max-w-3xl">
      <h1 className="font-semibold text-3xl">{title}</h1>
      <p className="mt-3 text-lg text-muted-foreground">{lead}</p>
      {children}
      <DocsPager />
    </article>
    <div>
      <Outline />
    </div>
  </div>
);

/** A section with an anchor. */
export const DocsSection = ({ id, title, children }: { id: string; title: string; children: ReactNode }) => (
  <section aria-labelledby={id} className="mt-10">
    <h2 id={id} className="mb-3 scroll-mt-20 font-semibold text-xl">
      {title}
    </h2>
    <div className="space-y-3 leading-7">{children}</div>
  </section>
);

export const Code = ({ children }: { children: ReactNode }) => (
  <code className="break-words rounded-sm bg-muted px-1 py-0.5 font-mono text-[0.85em]">{children}</code>
);

export const DocsLink = ({ href, children }: { href: string; children: ReactNode }) => (
  <Link href={href} className="text-primary underline underline-offset-4 hover:no-underline">
    {children}
  </Link>
);

/** Terms and their definitions, one per row. */
export const Definitions = ({ label, rows }: { label: string; rows: readonly (readonly [string, ReactNode])[] }) => (
  <dl aria-label={label} className="divide-y rounded-lg border bg-card text-sm">
    {rows.map(([name, meaning]) => (
      <div key={name} className="grid gap-1 px-3.5 py-2.5 sm:grid-cols-[14rem_minmax(0,1fr)] sm:gap-4">
        <dt className="break-words font-mono text-[13px]">{name}</dt>
        <dd className="text-muted-foreground">{meaning}</dd>
      </div>
    ))}
  </dl>
);
