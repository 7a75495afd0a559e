"use client";

import { useQuery } from "@tanstack/react-query";
import { useMode } from "../../components/shell/mode";
import { formatDay } from "../../format/dates";
import { useTRPC } from "../../trpc/client";
import type { Group, ReportRow } from "./report-view";
import { trafficName } from "./traffic-words";

const NAMES_MAX = 1000;
const WORDS: Record<string, string> = { network: "Other publishers and advertisers", house: "House offers" };

/** What a row is called: names instead of ids, words instead of gaps. */
export function useNames(): (row: ReportRow, group: Group) => string {
  const trpc = useTRPC();
  const { mode } = useMode();
  const channels = useQuery(trpc.channels.list.queryOptions({ mode, limit: NAMES_MAX }));
  const campaigns = useQuery(trpc.campaigns.list.queryOptions({ mode, limit: NAMES_MAX }));
  const names = new Map(
    [...(channels.data?.data ?? []), ...(campaigns.data?.data ?? [])].map(({ id, name }) => [id, name]),
  );
  return (row, group) => {
    const value = row[group];
    if (!value) return group === "campaign" || group === "creative" ? "Requests (no campaign yet)" : "unknown";
    if (group === "day") return formatDay(value);
    if (group === "hour") return `${formatDay(value.slice(0, 10))}, ${value.slice(11, 16)}`;
    if (group === "traffic") return trafficName(value);
    return names.get(value) ?? WORDS[value] ?? value;
  };
}
