import { useQueryClient } from "@tanstack/react-query";
import { usePathname } from "next/navigation";
import { useEffect, useRef } from "react";
import { Alert } from "../../../components/ui/alert";
import { formatDateTime } from "../../../format/dates";
import { useQueryOf } from "../../../trpc/use-operation";
import { useMode } from "./mode";

const POLL_MS = 2_000;

/**
 * Says on the pages of offers which traffic of the demo account is simulated, and while it is being written, that figures
 * are incomplete.
 */
export function SimulatedNotice() {
  const queries = useQueryClient();
  const { mode } = useMode();
  const isOffersPage = usePathname().startsWith("/offers");
  const { data } = useQueryOf("getSimulatedTraffic", undefined, {
    enabled: mode === "live" && isOffersPage,
    refetchInterval: ({ state }) => (state.data?.state === "in_progress" ? POLL_MS : false),
  });
  const state = data?.state;
  const before = useRef(state);
  useEffect(() => {
    // Figures that were read before are of a part.
    if (before.current === "in_progress" && state === "complete") void queries.invalidateQueries();
    before.current = state;
  }, [state, queries]);
  if (mode !== "live" || !isOffersPage || !data) return null;
  return (
    <Alert className="mb-5">
      {state === "in_progress"
        ? "Demo account: 30 days of simulated traffic are being written. Figures are complete in a few seconds."
        : `Demo account: traffic before ${formatDateTime(data.to)} is simulated, on the channels marked “(simulated)”. Its visitors, clicks, orders and amounts are invented.`}
    </Alert>
  );
}
