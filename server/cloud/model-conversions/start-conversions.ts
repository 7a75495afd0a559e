import { type Repeating, repeat } from "../../kernel/repeat";
import { type RunConversion, runConversion } from "./run-conversion";

const LOOK_MS = 1000;

/** Runs conversions in the background until `stop`, one at a time; several processes may do so at the same time. */
export const startConversions = (ctx: RunConversion & { log: { info: RunConversion["log"]["warn"] } }): Repeating =>
  repeat({ everyMs: LOOK_MS, log: ctx.log, purpose: "convert models" }, (stopping) => runConversion(ctx, stopping));
