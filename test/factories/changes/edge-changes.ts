import { type Change, inProject, to } from "./change";

/** Its smoke run has what it prints. */
const HIDDEN_IN_EDGE_FUNCTION = {
  env: { PASSWORD: "token=hidden" },
  code: "export default { fetch: (_, env) => new Response(console.log(env.PASSWORD) ?? '') };",
};

export const changes: readonly Change[] = [
  {
    operation: "createEdgeFunction",
    actions: ["edge_function.created"],
    events: ["edge_function.created"],
    prepare: (s) => inProject(s, { name: s.unique("edge"), ...HIDDEN_IN_EDGE_FUNCTION }),
  },
  {
    operation: "updateEdgeFunction",
    actions: ["edge_function.updated"],
    events: ["edge_function.updated"],
    prepare: async (s) => to(await s.edgeFunction(), { name: s.unique("edge"), ...HIDDEN_IN_EDGE_FUNCTION }),
  },
  {
    operation: "publishEdgeFunction",
    actions: ["edge_function.published"],
    events: ["edge_function.published"],
    prepare: async (s) => to(await s.edgeFunction()),
  },
  {
    operation: "restoreEdgeVersion",
    actions: ["edge_function.published"],
    events: ["edge_function.published"],
    prepare: async (s) => to(await s.edgeFunction(), { version: 1 }),
  },
  {
    operation: "deleteEdgeFunction",
    actions: ["edge_function.deleted"],
    events: ["edge_function.deleted"],
    prepare: async (s) => to(await s.edgeFunction()),
  },
];
