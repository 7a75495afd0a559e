import { CodeBlock } from "../../../components/ui/code-block";
import { LazyHighlighted } from "../../../docs/lazy-highlighted";

/** A JSON value in colours, with a button that copies it. */
export function JsonBlock({ label, value }: { label: string; value: unknown }) {
  const code = JSON.stringify(value, null, 2);
  return (
    <div className="min-w-0 [&_pre]:max-h-96 [&_pre]:overflow-y-auto">
      <CodeBlock label={label} code={code}>
        <LazyHighlighted code={code} language="json" />
      </CodeBlock>
    </div>
  );
}
