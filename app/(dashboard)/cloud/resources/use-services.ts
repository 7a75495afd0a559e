"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";
import { SERVICE_NAMES, type ServiceName } from "./service";

/** The kinds of resources, which a running version of svc does not change. */
export function useKinds() {
  const trpc = useTRPC();
  return useQuery(trpc.listResourceKinds.queryOptions({}, { staleTime: Number.POSITIVE_INFINITY }));
}

/** The services of which resources can be created, in the order of the page. */
export function useCreatable(): ServiceName[] {
  const kinds = useKinds().data?.data ?? [];
  return SERVICE_NAMES.filter((name) => kinds.some(({ service }) => service === name));
}

export function useActivations() {
  const trpc = useTRPC();
  const { mode } = useMode();
  return useQuery(trpc.listActivations.queryOptions({ mode }));
}
