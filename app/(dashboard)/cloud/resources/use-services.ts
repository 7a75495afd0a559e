"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { isSame, type ServiceId } from "./service";

/** The services of all planes, which a running version of svc does not change. */
export function useServices() {
  const trpc = useTRPC();
  return useQuery(trpc.listServices.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
}

/** The name of a service for people; until it is known, its own name. */
export function useServiceLabel(): (of: ServiceId) => string {
  const services = useServices().data?.data ?? [];
  return (of) => services.find((one) => isSame(one, of))?.label ?? of.service;
}

/** The kinds of resources, which a running version of svc does not change either. */
export function useKinds() {
  const trpc = useTRPC();
  return useQuery(trpc.listResourceKinds.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
}

export function useActivations() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useQuery(trpc.listActivations.queryOptions({ mode }));
}
