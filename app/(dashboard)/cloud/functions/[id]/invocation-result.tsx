import { Alert } from "../../../../components/ui/alert";
import { CodeBlock } from "../../../../components/ui/code-block";
import { JsonBlock } from "../../components/json-block";
import type { Invocation } from "../function";

/** How an invocation ended, and what it printed. */
export function InvocationResult({
  invocation: { version, error, result, logs, duration_ms },
}: {
  invocation: Invocation;
}) {
  return (
    <div role="status" className="space-y-3">
      <p className="text-muted-foreground text-sm">
        Version {version}, {duration_ms ?? 0} ms
      </p>
      {error ? (
        <Alert tone="bad">
          {error.message} ({error.reason})
        </Alert>
      ) : (
        <JsonBlock label="Result" value={result} />
      )}
      {error?.stack && <CodeBlock label="Stack" code={error.stack} />}
      {logs.length > 0 && (
        <CodeBlock label="Logs" code={logs.map(({ level, text }) => `${level.padEnd(5)} ${text}`).join("\n")} />
      )}
    </div>
  );
}
