import type { Row } from "./row";
import type { Schema } from "./schema-text";

/** What only a browser has a use for, and what another operation does as well; nothing else is left out. */
export const NOT_IN_SDK: Record<string, string> = {
  getOffers: "the same as serveOffers, by query string",
  followClick: "a link that people follow",
  followPixel: "an image on advertisers' pages",
};

/** Nouns that readers know by another name than the operation's id has. */
const NOUNS: Record<string, string> = { auditEntries: "audit", auditLogs: "audit", audits: "audit" };
/** Operations whose id is no verb and noun. */
const NAMES: Record<string, [noun: string, verb: string]> = {
  logIn: ["auth", "login"],
  logOut: ["auth", "logout"],
  refreshSession: ["auth", "refresh"],
  rotateWebhookSecret: ["webhooks", "rotateSecret"],
  replayWebhookDeliveries: ["webhookDeliveries", "replayRange"],
  getChatUsage: ["chatUsage", "get"],
  getUsage: ["usage", "get"],
  getMetricsSummary: ["metrics", "summary"],
  getUpcomingInvoice: ["invoices", "upcoming"],
  getBillingBudget: ["billing", "budget"],
  putBillingBudget: ["billing", "setBudget"],
  deleteBillingBudget: ["billing", "deleteBudget"],
  getPodLogs: ["pods", "logs"],
  getReservationCalendar: ["reservations", "calendar"],
  getGpuPool: ["gpuPools", "nodes"],
  listResourceKinds: ["resources", "kinds"],
  activateService: ["activations", "create"],
  deactivateService: ["activations", "delete"],
  getResourceUsage: ["resources", "usage"],
  getSkuPrice: ["skus", "price"],
  createClusterKubeconfig: ["clusters", "kubeconfig"],
  listNodeGroups: ["clusters", "nodeGroups"],
  purgeQueue: ["queues", "purge"],
  sendMessages: ["queues", "send"],
  receiveMessages: ["queues", "receive"],
  acknowledgeMessages: ["queues", "acknowledge"],
  extendMessages: ["queues", "extend"],
  returnMessages: ["queues", "return"],
  peekMessages: ["queues", "peek"],
  redriveMessages: ["queues", "redrive"],
  deleteObjects: ["objects", "deleteMany"],
  getBucketUsage: ["buckets", "usage"],
  createShieldScan: ["shield", "scan"],
  listShieldScans: ["shield", "scans"],
  getShieldScan: ["shield", "get"],
  cancelShieldScan: ["shield", "cancel"],
  listShieldFindings: ["shield", "findings"],
  createEdgeFunction: ["edge", "create"],
  listEdgeFunctions: ["edge", "list"],
  getEdgeFunction: ["edge", "get"],
  updateEdgeFunction: ["edge", "update"],
  deleteEdgeFunction: ["edge", "delete"],
  publishEdgeFunction: ["edge", "publish"],
  restoreEdgeVersion: ["edge", "rollback"],
  listEdgeVersions: ["edge", "versions"],
  getEdgeVersion: ["edge", "version"],
  getEdgeLogs: ["edge", "logs"],
  listEdgeKvKeys: ["edgeKv", "list"],
  getEdgeKvValue: ["edgeKv", "get"],
  putEdgeKvValue: ["edgeKv", "put"],
  deleteEdgeKvKey: ["edgeKv", "delete"],
  sendEdgeMessages: ["edgeQueues", "send"],
  receiveEdgeMessages: ["edgeQueues", "receive"],
  acknowledgeEdgeMessages: ["edgeQueues", "acknowledge"],
  extendEdgeMessages: ["edgeQueues", "extend"],
  returnEdgeMessages: ["edgeQueues", "return"],
};

interface Parameter {
  name: string;
  in: "query" | "path" | "header";
  required?: boolean;
  schema: Schema;
  description?: string;
}

interface DocumentOperation {
  operationId: string;
  summary: string;
  parameters?: Parameter[];
  requestBody?: { content: Record<string, { schema: Schema }> };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}

export interface OpenApi {
  paths: Record<string, Record<string, DocumentOperation>>;
  components: { schemas: Record<string, Schema> };
}

export interface Field {
  name: string;
  in: "path" | "query" | "body";
  required: boolean;
  schema: Schema;
}

export interface Operation {
  id: string;
  noun: string;
  verb: string;
  row: Row;
  summary: string;
  fields: Field[];
  /** The one item of a page, for lists. */
  item: Schema | undefined;
  output: Schema | undefined;
  hasCsv: boolean;
}

/** The operations of the SDK by noun, from the rows of both APIs and the documents made from them. */
export function operationsOf(rows: readonly Row[], documents: readonly OpenApi[]): Operation[] {
  const described = new Map(documents.flatMap(describedIn).map((one) => [one.operationId, one]));
  return rows
    .filter(({ id }) => !(id in NOT_IN_SDK))
    .map((row) => operationOf(row, described.get(row.id)))
    .sort((a, b) => (a.noun === b.noun ? 0 : a.noun < b.noun ? -1 : 1));
}

const describedIn = ({ paths }: OpenApi): DocumentOperation[] => Object.values(paths).flatMap(Object.values);

function operationOf(row: Row, described: DocumentOperation | undefined): Operation {
  if (!described) throw new Error(`${row.id} is in no document.`);
  const [noun, verb] = nameOf(row.id);
  const parameters = (described.parameters ?? []).filter((one) => one.in === "path" || one.in === "query");
  const body = isUpload(row) ? undefined : described.requestBody?.content["application/json"]?.schema;
  const required = new Set((body?.required ?? []) as string[]);
  const fields: Field[] = [
    ...parameters.map(({ name, in: place, required = false, schema, description }) => ({
      name,
      in: place as "path" | "query",
      required,
      schema: description === undefined ? schema : { description, ...schema },
    })),
    ...Object.entries(body?.properties ?? {}).map(([name, schema]) => ({
      name,
      in: "body" as const,
      required: required.has(name),
      schema,
    })),
  ];
  const content = described.responses[row.status]?.content;
  const output = content?.["application/json"]?.schema;
  const item = output?.properties?.next_cursor ? output.properties.data?.items : undefined;
  return {
    id: row.id,
    noun,
    verb,
    row,
    summary: row.summary,
    fields,
    item,
    output,
    hasCsv: content?.["text/csv"] !== undefined,
  };
}

export const isUpload = (row: Row): row is Row & { upload: readonly string[] } => row.upload !== undefined;

/** `createChannelKey` is the verb `create` of the noun `channelKeys`. */
function nameOf(id: string): [noun: string, verb: string] {
  const known = NAMES[id];
  if (known) return known;
  const [, verb = "", rest = ""] = /^([a-z]+)([A-Z]\w*)$/.exec(id) ?? [];
  if (!verb) throw new Error(`${id} is no verb and noun; give it a name in NAMES.`);
  const one = rest.charAt(0).toLowerCase() + rest.slice(1);
  const noun = one.endsWith("s")
    ? one
    : /(x|ch|sh)$/.test(one)
      ? `${one}es`
      : one.endsWith("y") && !/[aeo]y$/.test(one)
        ? `${one.slice(0, -1)}ies`
        : `${one}s`;
  return [NOUNS[noun] ?? noun, verb];
}

export function credentialOf(row: Row): "platform" | "channel" | "none" {
  if (row.access === "channel_key") return "channel";
  return ["public", "offer_id", "pixel_token"].includes(row.access) ? "none" : "platform";
}

export const scopeOf = (row: Row): string | undefined => (row.access.includes(":") ? row.access : undefined);
