"use client";

import * as Tabs from "@radix-ui/react-tabs";
import { CodeBlock } from "../../components/ui/code-block";
import { LazyHighlighted } from "../lazy-highlighted";
import { VERIFICATION_CODE } from "./verification-code";

/** A receiver that verifies requests, in several languages. */
export const VerificationCode = () => (
  <Tabs.Root defaultValue="node" className="min-w-0 space-y-3">
    <Tabs.List aria-label="Language of the receiver" className="flex flex-wrap gap-1">
      {Object.entries(VERIFICATION_CODE).map(([name, { label }]) => (
        <Tabs.Trigger
          key={name}
          value={name}
          className="rounded-md px-2.5 py-1 font-medium text-muted-foreground text-sm hover:text-foreground data-[state=active]:bg-accent data-[state=active]:text-accent-foreground"
        >
          {label}
        </Tabs.Trigger>
      ))}
    </Tabs.List>
    {Object.entries(VERIFICATION_CODE).map(([name, { needs, code, grammar }]) => (
      <Tabs.Content key={name} value={name} tabIndex={-1} className="outline-none">
        <CodeBlock label={needs} code={code}>
          <LazyHighlighted code={code} language={grammar} />
        </CodeBlock>
      </Tabs.Content>
    ))}
  </Tabs.Root>
);
