import { Plus } from "lucide-react";
import { Badge } from "../../../components/ui/badge";
import { Button } from "../../../components/ui/button";
import { cn } from "../../../components/ui/cn";
import { formatCount } from "../../../format/numbers";
import { ROW_LINK_STYLE } from "../../components/row-link-style";
import { useHasScope } from "../../components/shell/access";
import { useUrlParams } from "../../components/use-url-params";
import { TierButton } from "./activation-dialog";
import { DeactivateButton } from "./deactivate-button";
import { type Activation, type Counted, hasOwnActivation, type Service, tierLabel } from "./service";
import { useServiceLabel } from "./use-services";

interface ServiceCardProps {
  service: Service;
  /** Of what its resources need; absent: that is not activated. */
  activation: Activation | undefined;
  /** Absent while it is unknown. */
  counted: Counted | undefined;
  /** Absent: the service has no resources. */
  onCreate: (() => void) | undefined;
}

export function ServiceCard({ service, activation, counted, onCreate }: ServiceCardProps) {
  const canWrite = useHasScope(`${service.plane}:write`);
  const { label, summary, reason } = service;
  return (
    <li className="flex flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs">
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 className="font-medium">
          {label} <span className="font-mono font-normal text-muted-foreground text-xs">{service.service}</span>
        </h3>
        <ActivationBadge service={service} activation={activation} />
      </div>
      <p className="flex-1 text-muted-foreground text-sm">{summary}</p>
      {reason && (
        <p className="text-muted-foreground text-xs">
          {reason.code === "elsewhere" ? `${reason.message} ${reason.remedy}` : `Only planned: ${reason.message}`}
        </p>
      )}
      {counted && (counted.resources > 0 || counted.planned > 0 || activation) && (
        <Count service={service} counted={counted} activation={activation} />
      )}
      {canWrite && (
        <div className="flex flex-wrap gap-2">
          {onCreate && (
            <Button size="sm" variant={activation ? "primary" : "outline"} onClick={onCreate}>
              <Plus aria-hidden />
              Create<span className="sr-only"> a resource of {label}</span>
            </Button>
          )}
          {hasOwnActivation(service) && <TierButton service={service} activation={activation} />}
          {hasOwnActivation(service) && activation && <DeactivateButton service={service} />}
        </div>
      )}
    </li>
  );
}

function ActivationBadge({ service, activation }: Pick<ServiceCardProps, "service" | "activation">) {
  const labelOf = useServiceLabel();
  const { activation: gate } = service;
  if (gate === null) return <Badge tone="good">always active</Badge>;
  const needs = hasOwnActivation(service) ? "not activated" : `needs ${labelOf(gate)}`;
  return activation ? <Badge tone="good">{tierLabel(activation.plan_tier)}</Badge> : <Badge>{needs}</Badge>;
}

interface CountProps extends Pick<ServiceCardProps, "service" | "activation"> {
  counted: Counted;
}

/** "3 of 10 resources, 1 planned", which limits the table below to the service. */
function Count({ service: { service, label, tiers }, counted, activation }: CountProps) {
  const { change } = useUrlParams();
  const { resources, planned } = counted;
  const max = tiers.find(({ plan_tier }) => plan_tier === activation?.plan_tier)?.resources_max;
  const most = max === undefined ? "" : ` of ${formatCount(max)}`;
  const text = `${formatCount(resources)}${most} resources${planned > 0 ? `, ${formatCount(planned)} planned` : ""}`;
  if (resources + planned === 0) return <p className="text-sm tabular-nums">{text}</p>;
  return (
    <button
      type="button"
      onClick={() => change({ service })}
      className={cn(ROW_LINK_STYLE, "w-fit text-left text-sm tabular-nums underline")}
    >
      {text}
      <span className="sr-only">: show those of {label}</span>
    </button>
  );
}
