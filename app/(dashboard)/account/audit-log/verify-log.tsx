import { ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { FailureAlert } from "../../../components/form/form";
import { Alert } from "../../../components/ui/alert";
import { Button } from "../../../components/ui/button";
import { Card } from "../../../components/ui/card";
import { formatCount } from "../../../format/numbers";
import type { Outputs } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import { useQueryOf } from "../../../trpc/use-operation";

type Verification = Outputs["verifyAudit"];

/** Verifies the whole hash chain on demand; `entries` is its approximate length, where known. */
export function VerifyLog({ entries }: { entries: number | undefined }) {
  const query = useQueryOf("verifyAudit", undefined, { enabled: false, gcTime: 0, retry: false });
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-muted-foreground text-sm">
          Each entry contains the hash of the previous one: changing, removing or inserting an entry breaks the chain.
        </p>
        <Button variant="outline" pending={query.isFetching} onClick={() => void query.refetch()}>
          {!query.isFetching && <ShieldCheck aria-hidden />}
          Verify log
        </Button>
      </div>
      {query.isFetching ? (
        <Progress entries={entries} />
      ) : query.error ? (
        <FailureAlert failure={failureOf(query.error)} />
      ) : (
        query.data && <VerificationResult verdict={query.data} />
      )}
    </Card>
  );
}

const SECOND_MS = 1000;

function Progress({ entries }: { entries: number | undefined }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setSeconds((passed) => passed + 1), SECOND_MS);
    return () => clearInterval(timer);
  }, []);
  return (
    <p className="text-muted-foreground text-sm">
      <span role="status">Verifying {entries === undefined ? "every entry" : entryCount(entries)}…</span>
      {seconds > 0 && <span className="tabular-nums"> {seconds} s</span>}
    </p>
  );
}

function VerificationResult({ verdict: { valid, entries, first_bad_sequence, head_hash } }: { verdict: Verification }) {
  if (!valid) {
    return (
      <Alert tone="bad">
        Verification failed at entry {formatCount(first_bad_sequence ?? 0)}: it is missing, changed or out of order.{" "}
        {entries > 0 && `The ${entryCount(entries)} before it ${entries === 1 ? "is" : "are"} valid. `}
        Contact the operator of this installation.
      </Alert>
    );
  }
  if (entries === 0) return <Alert>The log is empty, so there is nothing to check.</Alert>;
  return (
    <Alert tone="good">
      The log is intact: {entryCount(entries)} verified.
      <span className="mt-1 block text-xs">
        Keep the last hash elsewhere to prove later that the log was not rewritten:
        <span className="mt-0.5 block select-all break-all font-mono">{head_hash}</span>
      </span>
    </Alert>
  );
}

const entryCount = (entries: number): string => `${formatCount(entries)} ${entries === 1 ? "entry" : "entries"}`;
