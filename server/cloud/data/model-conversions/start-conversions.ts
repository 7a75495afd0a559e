import type { StartedAlarms } from "../../../engines/start-alarms";
import type { RunningRound } from "../../../kernel/alarms";
import { NEXT_CONVERSION } from "./model-conversions.sql";
import { type RunConversion, runConversion } from "./run-conversion";

/** Runs conversions in the background until `stop`, one at a time; several processes may do so at the same time. */
export const startConversions = (ctx: RunConversion, alarms: Pick<StartedAlarms, "add">): RunningRound =>
  alarms.add({
    topic: "conversions",
    purpose: "convert models",
    nextDue: NEXT_CONVERSION,
    run: (stopping) => runConversion(ctx, stopping),
  });
