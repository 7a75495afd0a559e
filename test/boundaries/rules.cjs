// Which part may import which: app -> server/surfaces.ts; server/app -> surfaces -> ads | cloud -> identity -> operation -> engines -> guard -> kernel.
const layers = ["kernel", "guard", "engines", "operation", "identity", "(ads|cloud)", "surfaces"];
// The floors of the platform, from the bottom; events and money share one.
const floors = ["core", "data", "net", "compute", "edge", "ai", "obs", "shield", "(money|events)", "families"];

const upward = layers.slice(0, -1).map((layer, i) => ({
  name: `${layer.replaceAll(/[()]/g, "").replaceAll("|", "-and-")}-imports-downward-only`,
  comment: `server/${layer} must not import the layers above it.`,
  severity: "error",
  from: { path: `^server/${layer}/`, pathNot: "\\.test\\.ts$" },
  to: { path: `^server/(${layers.slice(i + 1).join("|")})/` },
}));

const upstairs = floors.slice(0, -1).map((floor, i) => ({
  name: `${floor.replaceAll(/[()]/g, "").replaceAll("|", "-and-")}-floor-imports-downward-only`,
  comment: `server/cloud/${floor} must not import the floors above it.`,
  severity: "error",
  from: { path: `^server/cloud/${floor}/`, pathNot: "\\.test\\.ts$" },
  to: { path: `^server/cloud/(${floors.slice(i + 1).join("|")})/` },
}));

// What works again and again without asking Postgres what is due: it empties a buffer of this process, reads ClickHouse or a
// machine, or renews a lease.
const repeating = [
  "identity/store-batches",
  "engines/clickhouse/ship-records",
  "cloud/edge/workers/edge-logs",
  "cloud/data/objects/open-readings",
  "cloud/data/queues/measure-queues",
  "cloud/data/queue-log/create-queue-engine",
  "cloud/compute/pods/node-rounds",
  "cloud/core/stored-bytes/stored-bytes",
  ...["start-chat-ledger", "create-chat-ledger"].map((file) => `cloud/ai/ledger/${file}`),
  ...["catalog/start-catalog", "vectors/start-vectors"].map((file) => `ads/${file}`),
  "ads/caps/cap-counts",
  "ads/budgets/start-pacing",
];

/** @type {import("dependency-cruiser").IConfiguration} */
module.exports = {
  forbidden: [
    ...upward,
    ...upstairs,
    {
      name: "kernel-imports-nothing-of-ours",
      comment: "The kernel is pure: no I/O and no imports from other parts.",
      severity: "error",
      from: { path: "^server/kernel/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|widget|sdk)/", pathNot: "^server/kernel/" },
    },
    {
      name: "background-work-has-one-clock",
      comment:
        "Work that Postgres knows to be due is a round of the alarms (server/engines/start-alarms.ts), not a loop.",
      severity: "error",
      from: { path: "^server/", pathNot: ["\\.test\\.ts$", ...repeating.map((file) => `^server/${file}\\.ts$`)] },
      to: { path: "^server/kernel/repeat\\.ts$" },
    },
    {
      name: "ads-and-cloud-are-strangers",
      comment: "The two products share only identity.",
      severity: "error",
      from: { path: "^server/(ads|cloud)/" },
      to: { path: "^server/(ads|cloud)/", pathNot: "^server/$1/" },
    },
    {
      name: "domains-know-no-surface",
      comment: "Surfaces call operations; operations never import a surface.",
      severity: "error",
      from: { path: "^server/(kernel|guard|engines|operation|identity|ads|cloud)/" },
      to: { path: "^(node_modules/)?(next|hono|@hono|@trpc)(/|$)" },
    },
    {
      name: "below-the-root-nothing-knows-it",
      comment: "Only the root composes parts; parts do not import it.",
      severity: "error",
      from: { path: "^server/[^/]+/", pathNot: "\\.test\\.ts$" },
      to: { path: "^server/[^/]+\\.ts$", pathNot: "^server/surfaces\\.ts$" },
    },
    {
      name: "pages-ask-surfaces",
      comment: "Pages contain no server code: they call server/surfaces, and import only types from the rest.",
      severity: "error",
      from: { path: "^app/", pathNot: "\\.test\\.tsx?$" },
      to: { path: "^(server|widget|sdk)/", pathNot: "^server/surfaces\\.ts$", dependencyTypesNot: ["type-only"] },
    },
    {
      name: "widget-stands-alone",
      comment: "The script for publishers' pages contains no server code.",
      severity: "error",
      from: { path: "^widget/", pathNot: "\\.test\\.ts$" },
      to: { path: "^(server|app|sdk|node_modules)/", pathNot: "^node_modules/(esbuild|@swc/core)/" },
    },
    {
      name: "sdk-stands-alone",
      comment: "Publishers install the SDK: it contains no server code and depends only on React. ws is bundled.",
      severity: "error",
      from: { path: "^sdk/", pathNot: "\\.test\\.ts$" },
      to: {
        path: "^(server|app|widget|node_modules)/",
        pathNot: "^node_modules/(react|@types/react|esbuild|ws|@types/ws)/",
      },
    },
    {
      name: "no-cycles",
      comment: "The files of a cycle can only be understood together.",
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
