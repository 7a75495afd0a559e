import { useQueries } from "@tanstack/react-query";
import { formatDay } from "../../../format/dates";
import { useTRPC } from "../../../trpc/client";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import type { Group, Report, ReportRow } from "./report-view";
import { trafficName } from "./traffic-text";

const NAMES_MAX = 1000;
/** Of so many campaigns the creatives are called by their titles; those of others by their ids. */
const TITLED_CAMPAIGNS_MAX = 20;
const WORDS: Record<string, string> = {
  network: "Other publishers and advertisers",
  house: "House offers",
};
const REQUESTS = "Requests (no campaign yet)";

/** What rows are called, and what a report can be limited to. */
export interface Names {
  /** Names instead of ids, words instead of gaps. */
  nameOf: (row: ReportRow, group: Group) => string;
  channels: { id: string; name: string }[];
  campaigns: { id: string; name: string }[];
}

export function useNames(report: Report | undefined): Names {
  const { mode } = useMode();
  const channels = useQueryOf("listChannels", { mode, limit: NAMES_MAX });
  const campaigns = useQueryOf("listCampaigns", { mode, limit: NAMES_MAX });
  const creatives = useCreatives(report);
  const names = new Map([
    ...[...(channels.data?.data ?? []), ...(campaigns.data?.data ?? [])].map(({ id, name }) => [id, name] as const),
    ...creatives.map(({ id, title }) => [id, title] as const),
  ]);
  return {
    nameOf: (row, group) => nameOf(row, group, names),
    channels: channels.data?.data ?? [],
    campaigns: campaigns.data?.data ?? [],
  };
}

/** The creatives of the campaigns in a report by creative; none for another report. */
function useCreatives(report: Report | undefined): { id: string; title: string }[] {
  const trpc = useTRPC();
  const rows = report?.group_by.includes("creative") ? report.rows : [];
  const ids = new Set(rows.flatMap(({ campaign, creative }) => (campaign && creative ? [campaign] : [])));
  return useQueries({
    queries: [...ids]
      .slice(0, TITLED_CAMPAIGNS_MAX)
      .map((id) => trpc.listCreatives.queryOptions({ id, limit: NAMES_MAX })),
    combine: (results) => results.flatMap(({ data }) => data?.data ?? []),
  });
}

function nameOf(row: ReportRow, group: Group, names: ReadonlyMap<string, string>): string {
  const called = (id: string): string => names.get(id) ?? WORDS[id] ?? id;
  const value = row[group];
  if (group === "creative" && !value && row.campaign) {
    return row.campaign in WORDS ? called(row.campaign) : `Products of ${called(row.campaign)}`;
  }
  if (!value) return group === "campaign" || group === "creative" ? REQUESTS : "unknown";
  if (group === "day") return formatDay(value);
  if (group === "hour") return `${formatDay(value.slice(0, 10))}, ${value.slice(11, 16)}`;
  return group === "traffic" ? trafficName(value) : called(value);
}
