"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryContent } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { CreateResourceDialog } from "./create-resource-dialog";
import { type Activation, countOf, SERVICE_NAMES, type ServiceName } from "./service";
import { ServiceCard } from "./service-card";
import { useActivations, useCreatable, useKinds } from "./use-services";

/** As many as one page of the API has. */
const COUNTED_MAX = 1000;

/** Each service with its tier and how many resources it has. */
export function ServiceGrid() {
  const kinds = useKinds();
  const activations = useActivations();
  return (
    <div className="space-y-4">
      <h2 className="font-semibold text-lg">Services</h2>
      <QueryContent query={kinds} loading={<Skeleton className="h-64" />}>
        {() => (
          <QueryContent query={activations} loading={<Skeleton className="h-64" />}>
            {({ data }) => <Cards activations={data} />}
          </QueryContent>
        )}
      </QueryContent>
    </div>
  );
}

function Cards({ activations }: { activations: Activation[] }) {
  const creatable = useCreatable();
  const counted = useCounted();
  const [creating, setCreating] = useState<ServiceName>();
  const activationOf = (name: ServiceName) => activations.find(({ service }) => service === name);
  return (
    <>
      <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
        {SERVICE_NAMES.map((name) => (
          <ServiceCard
            key={name}
            name={name}
            activation={activationOf(name)}
            counted={counted && countOf(counted, name)}
            onCreate={creatable.includes(name) ? () => setCreating(name) : undefined}
          />
        ))}
      </ul>
      <CreateResourceDialog service={creating} onClose={() => setCreating(undefined)} />
    </>
  );
}

/** The resources to count; undefined while they load, and when there are more than one page has. */
function useCounted() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { data } = useQuery(trpc.listResources.queryOptions({ mode, limit: COUNTED_MAX }));
  return data?.next_cursor === null ? data.data : undefined;
}
