import { S3Error } from "./s3-error";

const EXPIRATION = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;
/** Fields that need no condition: what proves the policy, and what it cannot know. */
const FREE = new Set(["awsaccesskeyid", "signature", "x-amz-signature", "policy", "file"]);
const FREE_PREFIX = "x-ignore-";

type Condition =
  | { kind: "eq" | "starts-with"; field: string; value: string }
  | { kind: "content-length-range"; least: number; most: number };

/** The sizes that a policy allows, in bytes. */
export interface SizeRange {
  least: number;
  most: number;
}

/**
 * Checks the fields of a form against its policy, base64 of JSON with `expiration` and `conditions`: every condition
 * must hold, and every field must have one. `fields`: by lower-case name, with the bucket. Returns the sizes that the
 * file may have. Throws `InvalidPolicyDocument` and `AccessDenied`.
 */
export function checkPolicy(policy: string, fields: ReadonlyMap<string, string>, now: Date): SizeRange {
  const { expiresAt, conditions } = parsePolicy(policy);
  if (expiresAt <= now) throw denied("Policy expired.");
  const named = new Set<string>();
  const range = { least: 0, most: Number.POSITIVE_INFINITY };
  for (const condition of conditions) {
    if (condition.kind === "content-length-range") {
      range.least = Math.max(range.least, condition.least);
      range.most = Math.min(range.most, condition.most);
      continue;
    }
    const { kind, field, value } = condition;
    named.add(field);
    const sent = fields.get(field) ?? "";
    if (kind === "eq" ? sent === value : sent.startsWith(value)) continue;
    throw denied(`Policy Condition failed: ${JSON.stringify([kind, `$${field}`, value]).slice(0, 300)}`);
  }
  const extra = [...fields.keys()].find((name) => !named.has(name) && !FREE.has(name) && !name.startsWith(FREE_PREFIX));
  if (extra !== undefined) throw denied(`Extra input fields: ${extra.slice(0, 100)}`);
  return range;
}

function parsePolicy(policy: string): { expiresAt: Date; conditions: readonly Condition[] } {
  const document = jsonOf(Buffer.from(policy, "base64").toString("utf8"));
  if (!isObject(document)) throw invalid("it must be the base64 text of a JSON object.");
  const { expiration, conditions } = document;
  if (typeof expiration !== "string" || !EXPIRATION.test(expiration) || Number.isNaN(Date.parse(expiration))) {
    throw invalid("expiration must be a time such as 2030-01-01T12:00:00.000Z.");
  }
  if (!Array.isArray(conditions)) throw invalid("conditions must be a list.");
  return { expiresAt: new Date(expiration), conditions: conditions.map(conditionOf) };
}

function conditionOf(condition: unknown): Condition {
  if (Array.isArray(condition)) return listedCondition(condition);
  const [entry, ...others] = isObject(condition) ? Object.entries(condition) : [];
  if (!entry || others.length > 0)
    throw invalid("each condition must be a list of three, or an object with one member.");
  const [field, value] = entry;
  if (typeof value !== "string") throw invalid("the value of a condition must be a text.");
  return { kind: "eq", field: field.toLowerCase(), value };
}

function listedCondition([operator, field, value, ...others]: readonly unknown[]): Condition {
  const kind = typeof operator === "string" ? operator.toLowerCase() : "";
  if (kind === "content-length-range" && others.length === 0) {
    const [least, most] = [bytesOf(field), bytesOf(value)];
    return { kind, least, most };
  }
  const isText = typeof field === "string" && field.startsWith("$") && typeof value === "string";
  if ((kind !== "eq" && kind !== "starts-with") || !isText || others.length > 0) {
    throw invalid(
      "a condition must be [eq or starts-with, $<field>, <text>] or [content-length-range, <least>, <most>].",
    );
  }
  return { kind, field: field.slice(1).toLowerCase(), value };
}

/** Some signers write numbers as texts. */
function bytesOf(value: unknown): number {
  const text = typeof value === "number" || typeof value === "string" ? String(value) : "";
  if (/^\d{1,15}$/.test(text)) return Number(text);
  throw invalid("content-length-range needs two numbers of bytes from 0.");
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw invalid("it is not JSON.");
  }
}

const invalid = (what: string): S3Error => new S3Error("InvalidPolicyDocument", `Invalid Policy: ${what}`);

const denied = (what: string): S3Error => new S3Error("AccessDenied", `Invalid according to Policy: ${what}`);
