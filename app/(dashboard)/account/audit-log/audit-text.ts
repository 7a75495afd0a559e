import type { AuditEntry } from "./audit-entry";

/** What an action can be about, by the noun that its name begins with. */
export const KIND_LABELS: Record<string, string> = {
  api_key: "API keys",
  project: "Projects",
  quota: "Limits",
  channel: "Channels",
  channel_key: "Channel keys",
  earnings: "Earnings",
  charges: "Reversed charges",
  balance: "Prepaid balance",
  advertiser: "Advertisers",
  campaign: "Campaigns",
  creative: "Creatives",
  product: "Products",
  product_feed: "Product feeds",
  feed_schedule: "Feed schedules",
  visitor: "Visitors",
  user: "Logins and passwords",
  session: "Sessions",
  member: "Members",
  invitation: "Invitations",
  pod: "Pods",
  sandbox: "Sandboxes",
  workspace: "Workspaces",
  reservation: "Reservations",
  billing_budget: "Budgets of usage",
  queue: "Queues",
  bucket: "Buckets",
  shield_scan: "Scans of buckets",
  storage_credentials: "S3 credentials",
  chat_budget: "Chat budgets",
  chat_settings: "Chat settings",
  function: "Functions",
  edge_function: "Edge functions",
  secret: "Secrets",
  chat_upstream: "Chat upstreams",
  resource: "Resources",
  node: "Nodes",
  activation: "Activated services",
  cluster_kubeconfig: "Kubeconfigs of clusters",
  webhook: "Webhooks",
  webhook_delivery: "Replays of deliveries",
  tenant: "Tenant",
};

const UPPER = /\b(api|id|ids|url)\b/g;

/** "api_key.created" as "API key created", "api_key" as "API key". */
export function humanize(name: string): string {
  const words = name.replaceAll(/[._]/g, " ").replaceAll(UPPER, (word) => word.toUpperCase());
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The actor: a member's email address, a key's name, or the kind of actor. */
export function actorName({ type, id, name }: AuditEntry["actor"]): string {
  if (name !== undefined) return name;
  if (type === "operator") return "An operator";
  if (type === "visitor") return "Anonymous visitor";
  if (type === "system") return "svc";
  return type === "api_key" ? `A former key (${id})` : `A former member (${id})`;
}

const ID_SHOWN = 32;

/** What it concerns, in one line. */
export function targetsText(targets: AuditEntry["targets"]): string {
  const [first, ...rest] = targets;
  if (!first) return "";
  return `${targetName(first)}${rest.length > 0 ? ` and ${rest.length} more` : ""}`;
}

function targetName({ type, id, name }: AuditEntry["targets"][number]): string {
  if (name !== undefined) return name;
  return `${humanize(type)} ${id.length > ID_SHOWN ? `${id.slice(0, ID_SHOWN / 2)}…` : id}`;
}

/** A value as the log keeps it, for people: lists as words, nothing as a dash. */
export function valueText(value: unknown): string {
  if (value === null || value === undefined || value === "") return "–";
  if (typeof value === "string") return value;
  if (Array.isArray(value) && value.every((one) => typeof one !== "object")) return value.join(", ") || "–";
  return JSON.stringify(value);
}

export interface Change {
  field: string;
  from: string;
  to: string;
}

/** An entry's changed fields and its other details. */
export function entryDetails({ details }: Pick<AuditEntry, "details">): {
  changes: Change[];
  rest: [string, string][];
} {
  const { changes = {}, ...rest } = details;
  const isChanges = typeof changes === "object" && changes !== null;
  return {
    changes: Object.entries(isChanges ? changes : {}).map(([field, change]) => ({
      field,
      from: valueText((change as { from?: unknown }).from),
      to: valueText((change as { to?: unknown }).to),
    })),
    rest: Object.entries(rest).map(([name, value]) => [name, valueText(value)]),
  };
}
