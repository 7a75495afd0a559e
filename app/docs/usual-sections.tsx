import type { ReactNode } from "react";
import { Code, Definitions, DocsLink, DocsSection } from "./docs-text";
import { KeyField } from "./key-field";

interface QuickStartSectionProps {
  /** Of the key: `pods` for `pods:read` and `pods:write`. */
  scopes: string;
  /** What follows the scopes, with the mark that ends the sentence. */
  note?: string;
  children: ReactNode;
}

/** The first section of a page: a key that the examples below use, and the examples. */
export const QuickStartSection = ({ scopes, note = ".", children }: QuickStartSectionProps) => (
  <DocsSection id="start" title="Quick start">
    <p>
      Create a platform key on the dashboard&apos;s <DocsLink href="/account/api-keys">API keys</DocsLink> with the
      scopes <Code>{scopes}:read</Code> and <Code>{scopes}:write</Code>
      {note}
    </p>
    <KeyField kind="platform" />
    {children}
  </DocsSection>
);

interface LimitsSectionProps {
  /** What they limit, such as "pods". */
  of: string;
  rows: readonly (readonly [string, ReactNode])[];
}

export const LimitsSection = ({ of, rows }: LimitsSectionProps) => (
  <DocsSection id="limits" title="Limits">
    <Definitions label={`Limits of ${of}`} rows={rows} />
  </DocsSection>
);
