import type { ReactNode } from "react";
import { CopyButton } from "./copy-button";

interface CodeBlockProps {
  code: string;
  label: string;
  /** The same text in colours. */
  children?: ReactNode;
}

/** Text to paste elsewhere, with a button that copies it. */
export const CodeBlock = ({ code, label, children = code }: CodeBlockProps) => (
  <figure className="overflow-hidden rounded-lg border bg-muted/50">
    <figcaption className="flex items-center justify-between gap-2 border-b py-1.5 pr-2 pl-3.5 text-muted-foreground text-xs">
      {label}
      <CopyButton text={code} />
    </figcaption>
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
    <pre className="overflow-x-auto p-3.5 font-mono text-[13px] leading-6" tabIndex={0}>
      <code>{children}</code>
    </pre>
  </figure>
);
