import { useQueryOf } from "../../../trpc/use-operation";
import { type Mode, useMode } from "../../components/shell/mode";

const CHANNELS_MAX = 1000;

/** The tenant's channels of a mode; undefined takes the dashboard's. */
export function useOwnChannels(mode: Mode | undefined) {
  const shown = useMode().mode;
  return useQueryOf("listChannels", { mode: mode ?? shown, limit: CHANNELS_MAX });
}
