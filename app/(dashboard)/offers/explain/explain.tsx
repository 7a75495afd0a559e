"use client";

import { useEffect, useRef, useState } from "react";
import { QueryContent } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import type { Outputs } from "../../../trpc/client";
import { useMutationOf, useQueryOf } from "../../../trpc/use-operation";
import { PageHeader } from "../../components/page-header";
import { type Mode, useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { useCurrency } from "../components/use-currency";
import { ExplainForm } from "./explain-form";
import { summaryText } from "./explained-offer";
import { type ExplainInput, readExplain, requestFromUrl, toUrlParams } from "./read-explain";
import { Result } from "./result";

const CHANNELS_MAX = 1000;

export function Explain() {
  const { mode } = useMode();
  return (
    <>
      <PageHeader
        title="Explain"
        description="Send a request as a page would, and see why each offer won or lost. Nothing is displayed, counted or charged."
      />
      <ExplainForMode key={mode} mode={mode} />
    </>
  );
}

/** The channels of one mode; a change of mode resets the page. */
function ExplainForMode({ mode }: { mode: Mode }) {
  const query = useQueryOf("listChannels", { mode, limit: CHANNELS_MAX });
  return (
    <QueryContent query={query} loading={<Skeleton className="h-96" />}>
      {({ data: channels }) => <ExplainView channels={channels} mode={mode} />}
    </QueryContent>
  );
}

interface ExplainViewProps {
  channels: Outputs["listChannels"]["data"];
  mode: Mode;
}

function ExplainView({ channels, mode }: ExplainViewProps) {
  const currency = useCurrency();
  const explain = useMutationOf("explainOffers", { meta: { inline: true } });
  const submitted = explain.variables as ExplainInput | undefined;
  const summary = useRef<HTMLParagraphElement>(null);
  const container = useRef<HTMLDivElement>(null);
  const { params, change } = useUrlParams();
  const [initial] = useState(() => requestFromUrl(params));
  // A link with a query runs it at once.
  useEffect(() => {
    if (initial.query || initial.context) container.current?.querySelector("form")?.requestSubmit();
  }, [initial]);
  // On a narrow screen the result is below the visible part of the page.
  useEffect(() => {
    if (explain.data) summary.current?.scrollIntoView();
  }, [explain.data]);
  return (
    <div ref={container} className="space-y-6">
      <ExplainForm
        channels={channels}
        initial={initial}
        error={explain.error}
        pending={explain.isPending}
        onSubmit={(fields) => {
          // The last result must not remain under a new error.
          explain.reset();
          const input = readExplain(fields, mode);
          change(toUrlParams(input));
          explain.mutate(input);
        }}
      />
      <p
        ref={summary}
        role="status"
        className={explain.data || explain.isPending ? "scroll-mt-20 text-sm md:scroll-mt-6" : "sr-only"}
      >
        {explain.isPending && "Calculating the result…"}
        {explain.data && submitted && (
          <>
            <span className="break-words font-medium">{nameOf(submitted)}</span>{" "}
            {summaryText(explain.data, submitted.limit)}
          </>
        )}
      </p>
      {explain.isPending && <ResultSkeleton />}
      {explain.data && <Result explanation={explain.data} currency={currency} />}
    </div>
  );
}

const NAME_CHARACTERS_MAX = 80;

/** The query or context, shortened. */
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
