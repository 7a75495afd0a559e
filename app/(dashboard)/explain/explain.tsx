"use client";

import { useMutation, useQuery } from "@tanstack/react-query";
import { RadioTower } from "lucide-react";
import Link from "next/link";
import { useEffect, useRef, useState } from "react";
import { Loaded } from "../../components/loaded";
import { PageHeader } from "../../components/page-header";
import { type Mode, useMode } from "../../components/shell/mode";
import { Button } from "../../components/ui/button";
import { Empty } from "../../components/ui/empty";
import { Skeleton } from "../../components/ui/skeleton";
import { useAddress } from "../../components/use-address";
import { type Outputs, useTRPC } from "../../trpc/client";
import { useCurrency } from "../campaigns/use-currency";
import { ExplainForm } from "./explain-form";
import { summaryOf } from "./explained";
import { addressOf, type ExplainInput, linkedRequest } from "./read-explain";
import { Result } from "./result";

const CHANNELS_MAX = 1000;

export function Explain() {
  const { mode } = useMode();
  return (
    <>
      <PageHeader
        title="Explain"
        description="Ask as a page would, and see why each offer won or lost. Nothing is shown to anybody, counted or charged."
      />
      <ExplainIn key={mode} mode={mode} />
    </>
  );
}

/** One mode's channels; another mode starts anew. */
function ExplainIn({ mode }: { mode: Mode }) {
  const trpc = useTRPC();
  const query = useQuery(trpc.channels.list.queryOptions({ mode, limit: CHANNELS_MAX }));
  return (
    <Loaded query={query} loading={<Skeleton className="h-96" />}>
      {({ data: channels }) =>
        channels.length === 0 ? (
          <Empty
            icon={RadioTower}
            title={`No channels in ${mode} mode yet`}
            action={
              <Button asChild>
                <Link href="/channels">Go to channels</Link>
              </Button>
            }
          >
            A request comes from a channel. Create one, or choose the other mode.
          </Empty>
        ) : (
          <Explainer channels={channels} />
        )
      }
    </Loaded>
  );
}

function Explainer({ channels }: { channels: Outputs["channels"]["list"]["data"] }) {
  const trpc = useTRPC();
  const currency = useCurrency();
  const explain = useMutation(trpc.explain.offers.mutationOptions({ meta: { inline: true } }));
  const asked = explain.variables as ExplainInput | undefined;
  const summary = useRef<HTMLParagraphElement>(null);
  const room = useRef<HTMLDivElement>(null);
  const { params, change } = useAddress();
  const [linked] = useState(() => linkedRequest(params));
  // A link to a question is a link to its answer.
  useEffect(() => {
    if (linked.query || linked.context) room.current?.querySelector("form")?.requestSubmit();
  }, [linked]);
  // On a narrow screen the answer would stand below everything that is seen.
  useEffect(() => {
    if (explain.data) summary.current?.scrollIntoView();
  }, [explain.data]);
  return (
    <div ref={room} className="space-y-6">
      <ExplainForm
        channels={channels}
        linked={linked}
        error={explain.error}
        pending={explain.isPending}
        onAsk={(input) => {
          change(addressOf(input));
          explain.mutate(input);
        }}
      />
      <p
        ref={summary}
        role="status"
        className={explain.data || explain.isPending ? "scroll-mt-20 text-sm md:scroll-mt-6" : "sr-only"}
      >
        {explain.isPending && "Working out what would be offered…"}
        {explain.data && asked && (
          <>
            <span className="break-words font-medium">{nameOf(asked)}</span> {summaryOf(explain.data, asked.limit)}
          </>
        )}
      </p>
      {explain.isPending && <ResultSkeleton />}
      {explain.data && <Result explanation={explain.data} currency={currency} />}
    </div>
  );
}

const NAME_CHARACTERS_MAX = 80;

/** What was asked for, cut where it is a whole page. */
function nameOf({ query, context }: ExplainInput): string {
  const text = query || context || "";
  return `“${text.length > NAME_CHARACTERS_MAX ? `${text.slice(0, NAME_CHARACTERS_MAX - 1)}…` : text}”:`;
}

const ResultSkeleton = () => (
  <div className="space-y-6">
    <Skeleton className="h-72" />
    <Skeleton className="h-48" />
    <Skeleton className="h-96" />
  </div>
);
