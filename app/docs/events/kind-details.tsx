"use client";

import { useState } from "react";
import { CodeBlock } from "../../components/ui/code-block";
import { Definitions } from "../docs-text";
import { LazyHighlighted } from "../lazy-highlighted";
import { TextWithCode } from "../text-with-code";
import type { SchemaField } from "./schema-fields";

interface KindDetailsProps {
  type: string;
  fields: readonly SchemaField[];
  /** As JSON. */
  example: string;
}

/** What a kind of event has, shown when it is opened: the elements of all kinds together would be megabytes. */
export function KindDetails({ type, fields, example }: KindDetailsProps) {
  const [wasOpened, setWasOpened] = useState(false);
  return (
    <details className="rounded-lg border bg-card" onToggle={() => setWasOpened(true)}>
      <summary className="cursor-pointer rounded-lg px-3.5 py-2 font-medium text-sm hover:bg-muted/50">
        Fields of data, and an example<span className="sr-only"> of {type}</span>
      </summary>
      {wasOpened && (
        <div className="space-y-3 border-t p-3.5">
          <Definitions
            label={`Fields of data of ${type}`}
            rows={fields.map(({ name, text }) => [name, <TextWithCode key={name} text={text} />] as const)}
          />
          <CodeBlock label={`Example of ${type}`} code={example}>
            <LazyHighlighted code={example} language="json" />
          </CodeBlock>
        </div>
      )}
    </details>
  );
}
