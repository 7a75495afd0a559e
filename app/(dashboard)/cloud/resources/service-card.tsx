"use client";

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
import { type Activation, type Counted, SERVICES, type ServiceName, tierLabel, WITHOUT_RESOURCES } from "./service";

interface ServiceCardProps {
  name: ServiceName;
  /** Absent: the service is not activated. */
  activation: Activation | undefined;
  /** Absent while it is unknown. */
  counted: Counted | undefined;
  /** Absent: this version of svc has no resources of the service. */
  onCreate: (() => void) | undefined;
}

export function ServiceCard({ name, activation, counted, onCreate }: ServiceCardProps) {
  const canWrite = useHasScope("gpuc:write");
  const { label, gives } = SERVICES[name];
  const isUsable = onCreate !== undefined || WITHOUT_RESOURCES.includes(name);
  return (
    <li className={cn("flex flex-col gap-3 rounded-xl border bg-card p-4 shadow-xs", !isUsable && "border-dashed")}>
      <div className="flex flex-wrap items-start justify-between gap-2">
        <h3 className="font-medium">
          {label} <span className="font-mono font-normal text-muted-foreground text-xs">{name}</span>
        </h3>
        {activation ? (
          <Badge tone="good">{tierLabel(activation.plan_tier)}</Badge>
        ) : (
          <Badge>{isUsable ? "not activated" : "not in this version"}</Badge>
        )}
      </div>
      <p className="flex-1 text-muted-foreground text-sm">{gives}</p>
      {counted && (counted.resources > 0 || counted.planned > 0 || activation) && (
        <Count name={name} counted={counted} activation={activation} />
      )}
      {canWrite && (activation || isUsable) && (
        <div className="flex flex-wrap gap-2">
          {onCreate && (
            <Button size="sm" variant={activation ? "primary" : "outline"} onClick={onCreate}>
              <Plus aria-hidden />
              Create<span className="sr-only"> a resource of {label}</span>
            </Button>
          )}
          {isUsable && <TierButton name={name} activation={activation} />}
          {activation && <DeactivateButton name={name} />}
        </div>
      )}
    </li>
  );
}

/** "3 of 10 resources, 1 planned", which limits the table below to the service. */
function Count({
  name,
  counted,
  activation,
}: { name: ServiceName; counted: Counted } & Pick<ServiceCardProps, "activation">) {
  const { change } = useUrlParams();
  const { resources, planned } = counted;
  const most = activation ? ` of ${formatCount(activation.resources_max)}` : "";
  const text = `${formatCount(resources)}${most} resources${planned > 0 ? `, ${formatCount(planned)} planned` : ""}`;
  if (resources + planned === 0) return <p className="text-sm tabular-nums">{text}</p>;
  return (
    <button
      type="button"
      onClick={() => change({ service: name })}
      className={cn(ROW_LINK_STYLE, "w-fit text-left text-sm tabular-nums underline")}
    >
      {text}
      <span className="sr-only">: show those of {SERVICES[name].label}</span>
    </button>
  );
}
