"use client";

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { QueryContent } from "../../../components/query-content";
import { Skeleton } from "../../../components/ui/skeleton";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { CreateResourceDialog } from "./create-resource-dialog";
import { countOf, SERVICE_NAMES, type ServiceName } from "./service";
import { ServiceCard } from "./service-card";
import { useActivations, useCreatable, useKinds } from "./use-services";

/** As many as one page of the API has. */
const COUNTED_MAX = 1000;

/** Each service with its tier and how many resources it has. */
export function ServiceGrid() {
  const kinds = useKinds();
  const activations = useActivations();
  const creatable = useCreatable();
  const counted = useCounted();
  const [creating, setCreating] = useState<ServiceName>();
  // Services without any kind of resource come last.
  const names = [...creatable, ...SERVICE_NAMES.filter((name) => !creatable.includes(name))];
  return (
    <section aria-labelledby="services" className="space-y-4">
      <h2 id="services" className="font-semibold text-lg">
        Services
      </h2>
      <QueryContent query={kinds} loading={<Skeleton className="h-64" />}>
        {() => (
          <QueryContent query={activations} loading={<Skeleton className="h-64" />}>
            {({ data }) => (
              <ul className="grid gap-4 sm:grid-cols-2 xl:grid-cols-3">
                {names.map((name) => (
                  <ServiceCard
                    key={name}
                    name={name}
                    activation={data.find(({ service }) => service === name)}
                    counted={counted && countOf(counted, name)}
                    onCreate={creatable.includes(name) ? () => setCreating(name) : undefined}
                  />
                ))}
              </ul>
            )}
          </QueryContent>
        )}
      </QueryContent>
      <CreateResourceDialog service={creating} onClose={() => setCreating(undefined)} />
    </section>
  );
}

/** The resources to count; undefined while they load, and when there are more than one page has. */
function useCounted() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const { data } = useQuery(trpc.cloud.resources.list.queryOptions({ mode, limit: COUNTED_MAX }));
  return data?.next_cursor === null ? data.data : undefined;
}
