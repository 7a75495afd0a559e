import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { isSame, type ServiceId } from "./service";

/** The services of all planes, which a running version of svc does not change. */
export function useServices() {
  return useQueryOf("listServices", {}, { staleTime: Number.POSITIVE_INFINITY });
}

/** The name of a service for people; until it is known, its own name. */
export function useServiceLabel(): (of: ServiceId) => string {
  const services = useServices().data?.data ?? [];
  return (of) => services.find((one) => isSame(one, of))?.label ?? of.service;
}

/** The kinds of resources, which a running version of svc does not change either. */
export function useKinds() {
  return useQueryOf("listResourceKinds", {}, { staleTime: Number.POSITIVE_INFINITY });
}

export function useActivations() {
  const { mode } = useMode();
  return useQueryOf("listActivations", { mode });
}
