import { daysBefore } from "../../../format/dates";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "../../components/shell/mode";
import { groupsAsked, periodBefore, type ReportChoice } from "./report-view";

const REFRESH_MS = 30_000;
const DAY_MS = 86_400_000;
const SLOT_MS = 15 * 60_000;

/** The chosen report, and with a comparison the one on the period before. */
export function useReport(choice: ReportChoice) {
  const { mode } = useMode();
  const asked = {
    mode,
    timezone: choice.timezone,
    group_by: groupsAsked(choice.groups),
    ...(choice.channel && { channel: choice.channel }),
    ...(choice.campaign && { campaign: choice.campaign }),
  };
  const options = {
    // A rejected request would be rejected again, and would move the focus each time.
    refetchInterval: ({ state }: { state: { error: unknown } }) => (state.error ? (false as const) : REFRESH_MS),
  };
  const query = useQueryOf(
    "getReport",
    { ...asked, from: choice.from, to: daysBefore(choice.to, -1) },
    { ...options, placeholderData: (previous) => previous },
  );
  const before = useQueryOf(
    "getReport",
    { ...asked, ...spanBefore(choice) },
    { ...options, enabled: choice.isCompared },
  );
  return { query, before: choice.isCompared ? before.data : undefined };
}

/** A period that includes today is compared with one that ends at the same time of day. */
function spanBefore(choice: ReportChoice): { from: string; to: string } {
  const { from, days } = periodBefore(choice);
  if (choice.to < choice.today) return { from, to: choice.from };
  const slot = Math.floor(Date.now() / SLOT_MS) * SLOT_MS;
  return { from, to: new Date(slot - days * DAY_MS).toISOString() };
}
