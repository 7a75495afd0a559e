import type { Pool } from "pg";
import type { Part } from "../../../identity/part";
import type { CopiesOf } from "../../core/served-copies/copies";
import type { ServedCopies } from "../../core/served-copies/served-copies";
import { edgeRoutes } from "./edge.routes";
import { hostedBySlug } from "./edge.sql";
import { edgeTools } from "./edge.tools";
import { edgeFunctionEventKinds } from "./edge-function.events";
import type { EdgeRunner } from "./edge-runner";
import { HOSTED_RESPONSES, type Hosted } from "./hosted-response";
import { EDGE_EVERY_MINUTE, edgeTasks, type StartEdge, startEdge } from "./start-edge";
import { EDGE_QUOTAS } from "./workers.quotas";

/** Of copies of hosted responses, in each process. */
const HOSTED_BYTES_MAX = 32 * 1024 * 1024;

interface Needs extends Omit<StartEdge, "edgeDomain" | "rootDir" | "hosted"> {
  servedCopies: Pick<ServedCopies, "of">;
  config: {
    roles: ReadonlySet<string>;
    rootDir: string;
    /** The domain below which each edge function has a host; undefined: there is none. */
    edgeDomain: string | undefined;
  };
}

/** Runs edge functions in this process. */
export const edgeWorkersPart: Part<Needs, { edge: EdgeRunner }, typeof edgeRoutes> = {
  name: "edge functions",
  routes: [edgeRoutes],
  tools: edgeTools,
  eventKinds: edgeFunctionEventKinds,
  quotas: Object.values(EDGE_QUOTAS),
  start: async (needs) => {
    const { sql, clock, config, servedCopies } = needs;
    const hosted = config.roles.has("web") ? await servedCopies.of(hostedCopies(sql)) : undefined;
    const edge = startEdge({ ...needs, edgeDomain: config.edgeDomain, rootDir: config.rootDir, hosted });
    return {
      gives: { edge: edge.runs },
      tasks: edgeTasks({ sql, clock, databases: edge.databases }),
      everyMinute: EDGE_EVERY_MINUTE,
      stop: () => edge.stop(),
    };
  },
};

const hostedCopies = (sql: Pool): CopiesOf<Hosted> => ({
  topic: HOSTED_RESPONSES,
  load: (slug) => hostedBySlug(sql, slug),
  bytesMax: HOSTED_BYTES_MAX,
});
