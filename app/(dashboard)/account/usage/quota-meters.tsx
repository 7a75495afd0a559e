import { cn } from "../../../components/ui/cn";
import { formatCount } from "../../../format/numbers";
import { type Fill, fillOf, Meter } from "../../components/meter";
import { CustomLimitBadge } from "./custom-limit-badge";
import { type CountedQuota, fillText, quotaName } from "./quota";

/** Every limit with what is used of it. */
export const QuotaMeters = ({ quotas }: { quotas: CountedQuota[] }) => (
  <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
    {quotas.map((quota) => (
      <QuotaMeter key={quota.resource} quota={quota} />
    ))}
  </ul>
);

const FILL_TEXT_COLOURS: Record<Fill, string> = {
  fine: "text-muted-foreground",
  near: "text-warning-foreground",
  full: "text-destructive",
};

function QuotaMeter({ quota }: { quota: CountedQuota }) {
  const { used, limit, description, liftable } = quota;
  const fill = fillOf(used, limit);
  return (
    <li className="flex flex-col gap-1.5 rounded-lg border p-4 text-sm">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium">{quotaName(quota)}</h3>
        <CustomLimitBadge quota={quota} />
      </div>
      <p className="tabular-nums">
        <span className="font-semibold text-xl">{formatCount(used)}</span>{" "}
        <span className="text-muted-foreground">of {formatCount(limit)}</span>
      </p>
      <Meter used={used} limit={limit} />
      <p className={cn("text-xs", FILL_TEXT_COLOURS[fill])}>{fillText(fill, quota)}</p>
      <p className="mt-auto pt-1 text-muted-foreground text-xs leading-5">
        {description}.{!liftable && " The same for all tenants."}
      </p>
    </li>
  );
}
