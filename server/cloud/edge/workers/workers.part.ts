import type { Part } from "../../../identity/part";
import { edgeRoutes } from "./edge.routes";
import { edgeTools } from "./edge.tools";
import { edgeFunctionEventKinds } from "./edge-function.events";
import type { EdgeRunner } from "./edge-runner";
import { EDGE_EVERY_MINUTE, edgeTasks, type StartEdge, startEdge } from "./start-edge";
import { EDGE_QUOTAS } from "./workers.quotas";

interface Needs extends Omit<StartEdge, "edgeDomain" | "rootDir"> {
  config: {
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
  start: (needs) => {
    const { sql, clock, config } = needs;
    const edge = startEdge({ ...needs, edgeDomain: config.edgeDomain, rootDir: config.rootDir });
    return {
      gives: { edge: edge.runs },
      tasks: edgeTasks({ sql, clock, databases: edge.databases }),
      everyMinute: EDGE_EVERY_MINUTE,
      stop: () => edge.stop(),
    };
  },
};
