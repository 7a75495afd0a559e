const MINUTE_MS = 60_000;
/** A node with so many critical events within an hour flaps. The numbers are ours. */
export const FLAPPING_CRITS = 3;
export const FLAPPING_MS = 60 * MINUTE_MS;
/** A node that is reported as healthy accepts pods again if it had no critical event for so long. */
export const QUIET_MS = 5 * MINUTE_MS;

export const NODE_SEVERITIES = ["ok", "info", "warn", "crit"] as const;
export type NodeSeverity = (typeof NODE_SEVERITIES)[number];

/** Who has cordoned a node; null: it accepts pods. */
export type CordonedBy = "operator" | "health" | "upgrade" | "tenant" | null;

export interface NodeHealth {
  cordonedBy: CordonedBy;
  flaps: boolean;
  /** The times of its critical events before this one; older ones than an hour do not count. */
  crits: readonly Date[];
}

export interface HealthDecision {
  cordonedBy: CordonedBy;
  flaps: boolean;
  /** What an operator reads about it. */
  sentence: string;
}

/**
 * What a health event changes of a node: a critical one cordons and drains it, `ok` ends a cordon that health events began. A
 * cordon of an operator stays, and so does one of a node that flaps.
 */
export function decideHealth(node: NodeHealth, { severity, at }: { severity: NodeSeverity; at: Date }): HealthDecision {
  if (severity === "crit") return decideCrit(node, at);
  if (severity === "ok") return decideOk(node, at);
  return unchanged(node, "It changes nothing.");
}

function decideCrit(node: NodeHealth, at: Date): HealthDecision {
  if (node.cordonedBy === "operator") return unchanged(node, "An operator has cordoned the node already.");
  const count = within(node.crits, at, FLAPPING_MS).length + 1;
  const flaps = node.flaps || count >= FLAPPING_CRITS;
  const sentence = flaps
    ? `The node flaps (${FLAPPING_CRITS} or more critical events within an hour): it is cordoned and drained until an operator uncordons it.`
    : "The node is cordoned and drained. An event with the severity ok ends that, 5 minutes after the last critical one.";
  return { cordonedBy: "health", flaps, sentence };
}

function decideOk(node: NodeHealth, at: Date): HealthDecision {
  if (node.cordonedBy === null) return unchanged(node, "The node accepts pods already.");
  if (node.cordonedBy === "operator") return unchanged(node, "The node stays cordoned, because an operator did that.");
  if (node.cordonedBy === "upgrade") return unchanged(node, "The node stays cordoned until its upgrade is complete.");
  if (node.cordonedBy === "tenant")
    return unchanged(node, "The node stays cordoned until the instance of the tenant that reported it runs elsewhere.");
  if (node.flaps) return unchanged(node, "The node stays cordoned until an operator uncordons it, because it flaps.");
  const isNoisy = within(node.crits, at, QUIET_MS).length > 0;
  if (isNoisy)
    return unchanged(node, "The node stays cordoned, because it had a critical event in the last 5 minutes.");
  return { cordonedBy: null, flaps: false, sentence: "The node accepts pods again." };
}

const unchanged = ({ cordonedBy, flaps }: NodeHealth, sentence: string): HealthDecision => ({
  cordonedBy,
  flaps,
  sentence,
});

const within = (times: readonly Date[], now: Date, ms: number): Date[] =>
  times.filter((time) => now.getTime() - time.getTime() < ms);
