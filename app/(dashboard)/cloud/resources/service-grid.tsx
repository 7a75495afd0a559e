import { type ReactNode, useState } from "react";
import { QueryContent } from "../../../components/query-content";
import { cn } from "../../../components/ui/cn";
import { Skeleton } from "../../../components/ui/skeleton";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { CreateResourceDialog } from "./create-resource-dialog";
import { type Activation, countOf, isInUse, isSame, keyOf, type Plane, type Service, type Use } from "./service";
import { ServiceCard } from "./service-card";
import { useActivations, useKinds, useServices } from "./use-services";

const GRID = "grid gap-4 sm:grid-cols-2 xl:grid-cols-3";
/** As many as one page of the API has. */
const COUNTED_MAX = 1000;

/** Each service of a plane with its tier and how many resources it has. */
export function ServiceGrid({ plane }: { plane: Plane }) {
  const services = useServices();
  const activations = useActivations();
  return (
    <div className="space-y-4">
      <h2 className="font-semibold text-lg">Services</h2>
      <QueryContent query={services} loading={<Skeleton className="h-64" />}>
        {({ data: all }) => (
          <QueryContent query={activations} loading={<Skeleton className="h-64" />}>
            {({ data }) => <Cards services={all.filter((one) => one.plane === plane)} activations={data} />}
          </QueryContent>
        )}
      </QueryContent>
    </div>
  );
}

interface CardsProps {
  services: readonly Service[];
  activations: readonly Activation[];
}

function Cards({ services, activations }: CardsProps) {
  // The dialog needs them at once.
  useKinds();
  const counted = useCounted(services[0]?.plane);
  const [creating, setCreating] = useState<Service>();
  const activationOf = ({ activation: gate }: Service) => gate && activations.find((one) => isSame(one, gate));
  const card = (service: Service) => (
    <ServiceCard
      key={keyOf(service)}
      service={service}
      activation={activationOf(service) ?? undefined}
      counted={counted && countOf(counted, service)}
      onCreate={service.kinds.length > 0 ? () => setCreating(service) : undefined}
    />
  );
  return (
    <>
      <ServiceLists services={services} use={{ activations, resources: counted }} card={card} />
      <CreateResourceDialog service={creating} onClose={() => setCreating(undefined)} />
    </>
  );
}

/** The services that can be used or are used, and below them, folded, those that are only planned. */
export function ServiceLists({ services, use, card }: ServiceListsProps) {
  const planned = services.filter((one) => !isInUse(one, use));
  return (
    <>
      <ul className={GRID}>{services.filter((one) => isInUse(one, use)).map(card)}</ul>
      {planned.length > 0 && (
        <details>
          <summary className="w-fit cursor-pointer text-muted-foreground text-sm">
            {planned.length} planned services, whose resources are placeholders
          </summary>
          <ul className={cn(GRID, "mt-4")}>{planned.map(card)}</ul>
        </details>
      )}
    </>
  );
}

interface ServiceListsProps {
  services: readonly Service[];
  use: Use;
  card: (service: Service) => ReactNode;
}

/** The resources to count; undefined while they load, and when there are more than one page has. */
function useCounted(plane: Plane | undefined) {
  const { mode } = useMode();
  const { data } = useQueryOf("listResources", { mode, plane, limit: COUNTED_MAX });
  return data?.next_cursor === null ? data.data : undefined;
}
