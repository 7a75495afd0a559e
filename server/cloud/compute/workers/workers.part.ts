import path from "node:path";
import type { Logger } from "pino";
import { Workerd } from "../../../engines/workerd/workerd";
import type { Part } from "../../../identity/part";

interface Needs {
  log: Logger;
  config: {
    rootDir: string;
    dataDir: string;
    /** This process among those that share the data directory. */
    member?: { slot: number; of: number } | undefined;
  };
}

interface Gives {
  workerd: Workerd;
  /** A sentence on why functions cannot run here; undefined: they can. */
  functionsMissing: () => Promise<string | undefined>;
}

/** The processes of workerd that run the code of tenants. */
export const workersPart: Part<Needs, Gives> = {
  name: "workers",
  start: ({ log, config: { rootDir, dataDir, member } }) => {
    const workerd = new Workerd({
      rootDir,
      dir: path.join(dataDir, "workers"),
      log,
      svcProcesses: member?.of,
    });
    return { gives: { workerd, functionsMissing: () => workerd.missing() }, stop: () => workerd.close() };
  },
};
