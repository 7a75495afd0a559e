import { existsSync } from "node:fs";
import path from "node:path";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { QuietPart } from "../../../identity/part";
import type { RunConversion } from "./run-conversion";
import { startConversions } from "./start-conversions";

interface Needs extends Omit<RunConversion, "workerFile" | "network"> {
  alarms: Pick<StartedAlarms, "add">;
  config: { roles: ReadonlySet<string> };
}

/** Converts models in workers. */
export const modelConversionsPart: QuietPart<Needs> = {
  name: "conversions of models",
  start: ({ db, sql, clock, log, objects, alarms, config }) => {
    if (!config.roles.has("worker")) return { gives: {} };
    const tensorFile = path.join(import.meta.dirname, "tensor-worker.mjs");
    // Without the built file this thread converts, which is slower.
    const workerFile = existsSync(tensorFile) ? tensorFile : undefined;
    const conversions = startConversions({ db, sql, clock, log, objects, workerFile }, alarms);
    return { gives: {}, stop: () => conversions.stop() };
  },
};
