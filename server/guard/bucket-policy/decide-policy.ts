import { type ConditionValues, isNarrowing, meetsCondition } from "./policy-conditions";
import type { BucketPolicy, PolicyStatement } from "./read-policy";
import { matchesWildcard } from "./wildcard";

/** What a client asks of a bucket, as policies see it. */
export interface PolicyRequest {
  /** As `s3:GetObject`; the case does not matter. */
  action: string;
  /** `<bucket>` or `<bucket>/<key>`. */
  resource: string;
  /** The ids of the tenant, and of the person or API key; none: the request is anonymous. */
  principals: readonly string[];
  valuesOf: ConditionValues;
}

/** What the statements of a policy say about a request; one that denies is stronger than all that allow. */
export function decideByPolicy({ statements }: BucketPolicy, request: PolicyRequest): "allow" | "deny" | "none" {
  const asked = { ...request, action: request.action.toLowerCase() };
  const fitting = statements.filter((statement) => appliesTo(statement, asked));
  if (fitting.some(({ effect }) => effect === "Deny")) return "deny";
  return fitting.length > 0 ? "allow" : "none";
}

function appliesTo(statement: PolicyStatement, { action, resource, principals, valuesOf }: PolicyRequest): boolean {
  const { actions, isNotAction, resources, conditions } = statement;
  return (
    isFor(statement, principals) &&
    actions.some((pattern) => matchesWildcard(pattern, action)) !== isNotAction &&
    resources.some((pattern) => matchesWildcard(pattern, resource)) &&
    conditions.every((condition) => meetsCondition(condition, valuesOf))
  );
}

/**
 * NotPrincipal leaves out a request whose tenant and key, or person, are both named, as the account and the user must be
 * in AWS; it is for all others, anonymous ones included.
 */
function isFor({ principals: named, isNotPrincipal }: PolicyStatement, ids: readonly string[]): boolean {
  if (named === "everyone") return true;
  return isNotPrincipal ? ids.length === 0 || !ids.every((id) => named.has(id)) : ids.some((id) => named.has(id));
}

/** Whether a policy lets clients in that it does not name. */
export const isPublicPolicy = ({ statements }: BucketPolicy): boolean =>
  statements.some(
    ({ effect, principals, isNotPrincipal, conditions }) =>
      effect === "Allow" && (principals === "everyone" || isNotPrincipal) && !conditions.some(isNarrowing),
  );
