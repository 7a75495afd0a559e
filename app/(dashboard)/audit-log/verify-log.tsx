"use client";

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useEffect, useState } from "react";
import { FailureAlert } from "../../components/form/form";
import { Alert } from "../../components/ui/alert";
import { Button } from "../../components/ui/button";
import { Card } from "../../components/ui/card";
import { formatCount } from "../../format/numbers";
import { type Outputs, useTRPC } from "../../trpc/client";
import { failureOf } from "../../trpc/failure";

type Verdict = Outputs["audit"]["verify"];

/** Walks the whole chain when asked, and says what it found; `entries` is about how long it is, where that is known. */
export function VerifyLog({ entries }: { entries: number | undefined }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.audit.verify.queryOptions(undefined, { enabled: false, gcTime: 0, retry: false }));
  return (
    <Card className="space-y-3 p-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <p className="max-w-prose text-muted-foreground text-sm">
          Each entry carries the hash of the one before it: whoever changes, removes or slips in one breaks the chain.
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
        query.data && <Found verdict={query.data} />
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
      <span role="status">Checking {entries === undefined ? "every entry" : countOf(entries)}…</span>
      {seconds > 0 && <span className="tabular-nums"> {seconds} s</span>}
    </p>
  );
}

function Found({ verdict: { valid, entries, first_bad_sequence, head_hash } }: { verdict: Verdict }) {
  if (!valid) {
    return (
      <Alert tone="bad">
        The log is broken at entry {formatCount(first_bad_sequence ?? 0)}: it is missing, was changed or stands out of
        place. {entries > 0 && `The ${countOf(entries)} before it ${entries === 1 ? "is" : "are"} good. `}
        Tell whoever operates this installation.
      </Alert>
    );
  }
  if (entries === 0) return <Alert>The log is empty, so there is nothing to check.</Alert>;
  return (
    <Alert tone="good">
      The log is whole: {countOf(entries)}, each in its place.
      <span className="mt-1 block text-xs">
        Keep the last hash elsewhere, and you can tell later that nothing was written anew:
        <span className="mt-0.5 block select-all break-all font-mono">{head_hash}</span>
      </span>
    </Alert>
  );
}

const countOf = (entries: number): string => `${formatCount(entries)} ${entries === 1 ? "entry" : "entries"}`;
