import { Alert } from "../../../../components/ui/alert";
import { Badge } from "../../../../components/ui/badge";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { CodeBlock } from "../../../../components/ui/code-block";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useHasScope } from "../../../components/shell/access";
import type { EdgeFunction, SmokeRun } from "../edge-function";

const TONES = { passed: "good", inconclusive: "warn", failed: "bad" } as const;

/** The host with the version that serves, how the draft responded when it was tried, and the button that publishes it. */
export function PublishSection({ of: { id, url, version, published_version, smoke } }: { of: EdgeFunction }) {
  const canWrite = useHasScope("edge:write");
  const publish = useMutationOf("publishEdgeFunction", { meta: { done: "Published." } });
  const isDraft = version !== published_version;
  return (
    <Section
      title="Host"
      description={
        published_version === null
          ? "It responds when the draft is published."
          : `Version ${published_version} responds to every request.`
      }
      actions={
        canWrite &&
        isDraft && (
          <Button
            disabled={smoke.outcome === "failed"}
            pending={publish.isPending}
            onClick={() => publish.mutate({ id, version })}
          >
            Publish version {version}
          </Button>
        )
      }
    >
      <div className="space-y-4 text-sm">
        {url === null && <p>This installation has no domain for edge functions: its operator sets EDGE_DOMAIN.</p>}
        {url !== null && published_version === null && <p className="break-all font-mono text-xs">{url}</p>}
        {url !== null && published_version !== null && (
          <p>
            <a href={url} rel="noreferrer" target="_blank" className="break-all font-mono text-xs underline">
              {url}
            </a>
          </p>
        )}
        <SmokeResult smoke={smoke} version={version} />
      </div>
    </Section>
  );
}

const SmokeResult = ({
  smoke: { outcome, status, error, logs, duration_ms },
  version,
}: {
  smoke: SmokeRun;
  version: number;
}) => (
  <>
    <p className="flex flex-wrap items-center gap-2">
      Version {version}, tried with GET /: <Badge tone={TONES[outcome]}>{outcome}</Badge>
      {status !== null && <span>status {status}</span>}
      <span className="text-muted-foreground">{duration_ms} ms</span>
    </p>
    {error && (
      <Alert tone="bad">
        {error.message} ({error.reason})
      </Alert>
    )}
    {error?.stack && <CodeBlock label="Stack" code={error.stack} />}
    {logs.length > 0 && (
      <CodeBlock label="Printed" code={logs.map(({ level, text }) => `${level.padEnd(5)} ${text}`).join("\n")} />
    )}
  </>
);
