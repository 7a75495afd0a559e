"use client";

import { useQuery } from "@tanstack/react-query";
import { useTRPC } from "../../../trpc/client";
import { useMode } from "../../components/shell/mode";

const ADVERTISERS_MAX = 1000;

/** The tenant's advertisers of the chosen mode, for lists of choice and for names beside ids. */
export function useAdvertisers() {
  const trpc = useTRPC();
  const { mode } = useMode();
  const query = useQuery(trpc.advertisers.list.queryOptions({ mode, limit: ADVERTISERS_MAX }));
  const rows = query.data?.data ?? [];
  const find = (id: string) => rows.find((advertiser) => advertiser.id === id) ?? { name: id, icon_url: null };
  return { query, rows, find, nameOf: (id: string) => find(id).name };
}
