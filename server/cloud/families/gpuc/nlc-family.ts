import type { Family } from "../../core/kinds/family";

/** Health events of nodes. It has events instead of resources: `node-events.tools.ts` has its tools. */
export const nlcFamily: Family = {
  plane: "gpuc",
  service: "nlc",
  label: "Node health",
  summary: "Health events of your own nodes, which move instances away from faulty ones.",
  meters: [],
  skus: [],
  kinds: {},
};
