"use client";

import { type InfiniteData, useInfiniteQuery } from "@tanstack/react-query";
import { Boxes } from "lucide-react";
import { SelectField } from "../../../components/form/fields";
import { Button } from "../../../components/ui/button";
import { EmptyState } from "../../../components/ui/empty-state";
import { Link } from "../../../components/ui/link";
import { type Outputs, useTRPC } from "../../../trpc/client";
import { refreshEvery } from "../../../trpc/query-client";
import { nextCursor, PagedContent } from "../../components/paged-content";
import { useMode } from "../../components/shell/mode";
import { useUrlParams } from "../../components/use-url-params";
import { isChanging } from "./resource";
import { ResourceTable } from "./resource-table";
import { planeIn, type Service } from "./service";
import { useServices } from "./use-services";

/** While a resource is about to change. */
const CHANGING_MS = 2000;
const REFRESH_MS = 10_000;

/** The resources of a plane in the mode, or those of one of its services. */
export function ResourceList() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { params, change } = useUrlParams();
  const plane = planeIn(params.get("plane"));
  const services = (useServices().data?.data ?? []).filter((one) => one.plane === plane);
  const chosen = services.find(({ service }) => service === params.get("service"));
  const query = useInfiniteQuery(
    trpc.listResources.infiniteQueryOptions(
      { mode, plane, ...(chosen && { service: chosen.service }) },
      {
        getNextPageParam: nextCursor,
        refetchInterval: ({ state }) => refreshEvery(intervalOf(state.data))({ state }),
        placeholderData: (previous) => previous,
      },
    ),
  );
  const hasAny = query.data?.pages.some(({ data }) => data.length > 0);
  return (
    <div className="space-y-4">
      <h2 className="font-semibold text-lg">Resources</h2>
      {(chosen || hasAny) && (
        <ServiceFilter services={services} chosen={chosen} onChange={(service) => change({ service })} />
      )}
      <PagedContent query={query} empty={<Empty service={chosen} onClear={() => change({ service: "" })} />}>
        {(resources) => <ResourceTable resources={resources} />}
      </PagedContent>
    </div>
  );
}

type Pages = InfiniteData<Outputs["listResources"], unknown>;

const intervalOf = (data: Pages | undefined): number =>
  data?.pages.some((page) => page.data.some(isChanging)) ? CHANGING_MS : REFRESH_MS;

interface ServiceFilterProps {
  services: readonly Service[];
  chosen: Service | undefined;
  /** Called with "" for all. */
  onChange: (service: string) => void;
}

const ServiceFilter = ({ services, chosen, onChange }: ServiceFilterProps) => (
  <SelectField
    name="service"
    label="Service"
    className="max-w-56"
    value={chosen?.service ?? ""}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">All</option>
    {services.map(({ service, label }) => (
      <option key={service} value={service}>
        {label}
      </option>
    ))}
  </SelectField>
);

interface EmptyProps {
  service: Service | undefined;
  onClear: () => void;
}

function Empty({ service, onClear }: EmptyProps) {
  const { mode } = useMode();
  if (service !== undefined) {
    const clear = (
      <Button variant="outline" onClick={onClear}>
        Clear filter
      </Button>
    );
    return (
      <EmptyState icon={Boxes} title={`No resources of ${service.label}`} action={clear}>
        No resources of this service exist in {mode} mode.
      </EmptyState>
    );
  }
  return (
    <EmptyState icon={Boxes} title={`No resources in ${mode} mode yet`}>
      Activate a service above and create a resource. Without an activation a resource is only planned: you see what svc
      would do, and nothing costs anything.{" "}
      <Link href="/docs/resources" className="underline underline-offset-2">
        How resources work
      </Link>
    </EmptyState>
  );
}
