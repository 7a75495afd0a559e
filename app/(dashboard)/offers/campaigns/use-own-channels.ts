"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { type Mode, useMode } from "../../components/shell/mode";

const CHANNELS_MAX = 1000;

/** The tenant's channels of a mode; undefined takes the dashboard's. */
export function useOwnChannels(mode: Mode | undefined) {
  const trpc = useTRPC();
  const shown = useMode().mode;
  return useQuery(trpc.listChannels.queryOptions({ mode: mode ?? shown, limit: CHANNELS_MAX }));
}
