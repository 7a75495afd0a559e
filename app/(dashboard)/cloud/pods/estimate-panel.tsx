import type { UseQueryResult } from "@tanstack/react-query";
import { CircleCheck, Clock } from "lucide-react";
import { type ReactNode, type RefObject, useRef } from "react";
import { FailureAlert } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { cn } from "../../../components/ui/cn";
import { Skeleton } from "../../../components/ui/skeleton";
import { formatAge } from "../../../format/durations";
import { formatMoney, formatRatePrice } from "../../../format/money";
import type { Outputs } from "../../../trpc/client";
import { failureOf } from "../../../trpc/failure";
import type { NearestShape } from "./shape";

type Estimate = Outputs["estimatePod"];

const HOURS_PER_MONTH = 730;
/** With these a pod can be created, and waits. */
const WAITS: ReadonlySet<string> = new Set(["no_gpus", "no_memory", "no_disk", "no_node"]);
const MICROS_PER_UNIT = 1_000_000;
/** A comparison needs no more; the price of the pod has all. */
const COMPARED_DECIMALS = 3;

interface EstimatePanelProps {
  query: UseQueryResult<Estimate, unknown>;
  /** What has to be entered before there is an estimate. */
  problem: string | undefined;
  onUse: (shape: NearestShape) => void;
}

/** Whether the pod of a form fits now, what it costs and how long it waits. */
export function EstimatePanel({ query, problem, onUse }: EstimatePanelProps) {
  const panel = useRef<HTMLElement>(null);
  // The button goes away with what it changes.
  const use = (shape: NearestShape) => {
    onUse(shape);
    panel.current?.focus();
  };
  const failure = query.error ? failureOf(query.error) : undefined;
  const isMissing = problem !== undefined || (failure !== undefined && failure.fields.length > 0);
  return (
    <Frame panel={panel} isBusy={query.isFetching && query.isPlaceholderData}>
      {isMissing ? (
        <p className="text-muted-foreground">{problem ?? "Correct the marked field to see the estimate."}</p>
      ) : failure && query.data === undefined ? (
        <div className="space-y-3">
          <FailureAlert failure={failure} />
          <Button variant="outline" size="sm" pending={query.isFetching} onClick={() => void query.refetch()}>
            Try again
          </Button>
        </div>
      ) : query.data ? (
        <Estimated estimate={query.data} onUse={use} />
      ) : (
        <div role="status" className="space-y-2">
          <span className="sr-only">Estimating…</span>
          <Skeleton className="h-5 w-40" />
          <Skeleton className="h-8 w-full" />
        </div>
      )}
    </Frame>
  );
}

interface FrameProps {
  panel: RefObject<HTMLElement | null>;
  isBusy: boolean;
  children: ReactNode;
}

const Frame = ({ panel, isBusy, children }: FrameProps) => (
  <section
    ref={panel}
    tabIndex={-1}
    aria-label="Estimate"
    aria-busy={isBusy}
    className={cn("rounded-lg border bg-muted/40 p-4 text-sm transition-opacity", isBusy && "opacity-60")}
  >
    {children}
  </section>
);

const Estimated = ({ estimate, onUse }: { estimate: Estimate; onUse: EstimatePanelProps["onUse"] }) => (
  <div className="space-y-4">
    <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
      <Fit estimate={estimate} />
      <Price price={estimate.price} />
    </div>
    {estimate.nearest_shapes.length > 0 && <Nearest shapes={estimate.nearest_shapes} onUse={onUse} />}
    {estimate.price.purchases.length > 1 && <Purchases price={estimate.price} />}
  </div>
);

function Fit({ estimate: { fits_now: fits, blocked_by: blocked, expected_wait: wait } }: { estimate: Estimate }) {
  const Icon = fits ? CircleCheck : Clock;
  return (
    <div role="status" className="min-w-0 flex-1 basis-56 space-y-1">
      <p className="flex items-center gap-2 font-medium">
        <Icon
          aria-hidden
          className={cn("size-4 shrink-0", fits ? "text-success-foreground" : "text-warning-foreground")}
        />
        {fits ? "Fits now" : "Does not fit now"}
      </p>
      {blocked && <p className="text-muted-foreground">{blocked.message}</p>}
      {wait && !fits && (
        <p className="text-muted-foreground">
          Expected wait: <span className="font-medium text-foreground">{formatAge(wait.seconds)}</span>. {wait.basis}
        </p>
      )}
      {!wait && blocked && WAITS.has(blocked.code) && <p className="text-muted-foreground">Expected wait: unknown.</p>}
    </div>
  );
}

function Price({
  price: { purchase, total_per_hour: total, per_hour: each, pods, currency },
}: {
  price: Estimate["price"];
}) {
  const monthMicros = Math.round(Number(total) * HOURS_PER_MONTH * MICROS_PER_UNIT);
  return (
    <div className="space-y-1 sm:text-right">
      <p>
        <span className="font-semibold text-base tabular-nums">{formatRatePrice(Number(total), currency)}</span> per
        hour
      </p>
      <p className="text-muted-foreground text-xs">
        {pods > 1 && `${pods} pods, ${formatRatePrice(Number(each), currency)} each. `}
        {formatMoney(monthMicros, currency)} per month of {HOURS_PER_MONTH} h
        {purchase === "reserved" && <span className="block">The reservation pays for the GPUs.</span>}
      </p>
    </div>
  );
}

const Nearest = ({ shapes, onUse }: { shapes: readonly NearestShape[]; onUse: EstimatePanelProps["onUse"] }) => (
  <div className="space-y-2">
    <h3 className="font-medium">Would fit now</h3>
    <ul className="flex flex-wrap gap-2">
      {shapes.map((shape) => (
        <li key={shape.note} className="max-w-full">
          <Button
            variant="outline"
            size="sm"
            className="h-auto min-h-8 max-w-full whitespace-normal py-1.5 text-left"
            onClick={() => onUse(shape)}
          >
            {shape.note}
          </Button>
        </li>
      ))}
    </ul>
  </div>
);

const PURCHASE_TEXTS: Readonly<Record<Estimate["price"]["purchases"][number]["purchase"], string>> = {
  on_demand: "On demand",
  spot: "Spot",
  reserved_30d: "Reserved 30 days",
  reserved_365d: "Reserved 365 days",
};

/** One pod with its GPUs, in each way to buy them. */
const Purchases = ({ price: { purchase: chosen, purchases, currency } }: { price: Estimate["price"] }) => (
  <dl aria-label="Price per hour in each way to buy the GPUs" className="grid grid-cols-2 gap-2 sm:grid-cols-4">
    {purchases.map(({ purchase, per_hour }) => (
      <div
        key={purchase}
        className={cn("rounded-md border bg-card px-3 py-2", purchase === chosen && "border-foreground/40")}
      >
        <dt className="text-muted-foreground text-xs">
          {PURCHASE_TEXTS[purchase]}
          {purchase === chosen && <span className="sr-only"> (chosen)</span>}
        </dt>
        <dd className="font-medium tabular-nums">
          {formatRatePrice(Number(Number(per_hour).toFixed(COMPARED_DECIMALS)), currency)}/h
        </dd>
      </div>
    ))}
  </dl>
);
