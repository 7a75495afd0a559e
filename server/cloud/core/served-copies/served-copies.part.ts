import type { Pool } from "pg";
import type { StartedAlarms } from "../../../engines/start-alarms";
import type { Part } from "../../../identity/part";
import { ServedCopies } from "./served-copies";

interface Needs {
  sql: Pool;
  alarms: Pick<StartedAlarms, "add">;
}

/** What this process serves from memory. */
export const servedCopiesPart: Part<Needs, { servedCopies: ServedCopies }> = {
  name: "served copies",
  start: ({ sql, alarms }) => {
    const servedCopies = new ServedCopies({ sql, alarms });
    return { gives: { servedCopies }, stop: () => servedCopies.stop() };
  },
};
