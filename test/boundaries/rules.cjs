// Which part may import which: app -> server/surfaces; server/app -> http | mcp | trpc -> ads | cloud -> identity -> engines -> kernel.
const layers = ["kernel", "engines", "identity", "(ads|cloud)", "(http|mcp|trpc)"];

const upward = layers.slice(0, -1).map((layer, i) => ({
  name: `${layer.replaceAll(/[()]/g, "").replaceAll("|", "-and-")}-imports-downward-only`,
  comment: `server/${layer} must not know what is built upon it.`,
  severity: "error",
  from: { path: `^server/${layer}/`, pathNot: "\\.test\\.ts$" },
  to: { path: `^server/(${layers.slice(i + 1).join("|")})/` },
}));

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...upward,
    {
      name: "kernel-imports-nothing-of-ours",
      comment: "The kernel is pure: no I/O, nothing of ours.",
      severity: "error",
      from: { path: "^server/kernel/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|widget|sdk)/", pathNot: "^server/kernel/" },
    },
    {
      name: "ads-and-cloud-are-strangers",
      comment: "The two products share identity and nothing else.",
      severity: "error",
      from: { path: "^server/(ads|cloud)/" },
      to: { path: "^server/(ads|cloud)/", pathNot: "^server/$1/" },
    },
    {
      name: "domains-know-no-surface",
      comment: "Verbs are called by surfaces; they never import one.",
      severity: "error",
      from: { path: "^server/(kernel|engines|identity|ads|cloud)/" },
      to: { path: "^(node_modules/)?(next|hono|@hono|@trpc)(/|$)" },
    },
    {
      name: "below-the-root-nothing-knows-it",
      comment: "Only the root puts parts together; parts do not import it.",
      severity: "error",
      from: { path: "^server/[^/]+/", pathNot: "\\.test\\.ts$" },
      to: { path: "^server/[^/]+\\.ts$", pathNot: "^server/surfaces\\.ts$" },
    },
    {
      name: "pages-ask-surfaces",
      comment: "Pages hold no server code: they ask server/surfaces, and know types of the rest.",
      severity: "error",
      from: { path: "^app/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^(server|widget|sdk)/", pathNot: "^server/surfaces\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "widget-stands-alone",
      comment: "The script tag carries nothing of the server to other people's pages.",
      severity: "error",
      from: { path: "^widget/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|sdk|node_modules)/", pathNot: "^node_modules/(esbuild|@swc/core)/" },
    },
    {
      name: "sdk-stands-alone",
      comment: "Publishers install the SDK: it carries nothing of ours and no dependency but React.",
      severity: "error",
      from: { path: "^sdk/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|widget|node_modules)/", pathNot: "^node_modules/(react|@types/react|esbuild)/" },
    },
    {
      name: "no-cycles",
      comment: "A cycle cannot be understood in parts.",
      severity: "error",
      from: {},
      to: { circular: true },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(\\.next|\\.build|generated)/" },
    parser: "swc",
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      extensions: [".ts", ".tsx", ".mjs", ".js"],
      conditionNames: ["import", "node", "default"],
    },
  },
};
