import { POLICY_ACTIONS } from "./policy-actions";
import { conditionOf, type PolicyCondition } from "./policy-conditions";
import { PolicyError, quoted } from "./policy-error";
import { matchesWildcard } from "./wildcard";

/** Bytes of UTF-8, as in Amazon S3. */
export const POLICY_BYTES_MAX = 20 * 1024;

/** Who a statement is for: everyone, or tenants, people and API keys by their ids. */
export type PolicyPrincipals = "everyone" | ReadonlySet<string>;

export interface PolicyStatement {
  effect: "Allow" | "Deny";
  principals: PolicyPrincipals;
  /** The statement applies to every principal but these. */
  isNotPrincipal: boolean;
  /** In lower case, with wildcards. */
  actions: readonly string[];
  /** Every action but these. */
  isNotAction: boolean;
  /** `<bucket>` or `<bucket>/<key>`, with wildcards. */
  resources: readonly string[];
  conditions: readonly PolicyCondition[];
}

export interface BucketPolicy {
  statements: readonly PolicyStatement[];
}

type Fields = Readonly<Record<string, unknown>>;

const ARN = "arn:aws:s3:::";
const VERSIONS = ["2012-10-17", "2008-10-17"];
const STATEMENT = ["Sid", "Effect", "Principal", "NotPrincipal", "Action", "NotAction", "Resource", "Condition"];

/**
 * Reads the JSON of a policy of a bucket. What the language has and this server has not is rejected, so that no
 * statement is ignored. Throws `PolicyError`.
 */
export function readPolicy(text: string, bucket: string): BucketPolicy {
  if (Buffer.byteLength(text) > POLICY_BYTES_MAX) {
    throw new PolicyError(`A policy has at most ${POLICY_BYTES_MAX} bytes.`);
  }
  const policy = fieldsOf(jsonOf(text), "The policy");
  assertKnown(policy, ["Version", "Id", "Statement"], "The policy");
  if (policy.Version !== undefined && !VERSIONS.includes(String(policy.Version))) {
    throw new PolicyError(`Version must be ${VERSIONS.join(" or ")}.`);
  }
  if (policy.Id !== undefined && typeof policy.Id !== "string") throw new PolicyError("Id must be a text.");
  const statements = Array.isArray(policy.Statement) ? policy.Statement : [policy.Statement];
  if (statements.length === 0) throw new PolicyError("Statement must have at least one statement.");
  const read = (statement: unknown) => statementOf(fieldsOf(statement, "Statement"), bucket);
  return { statements: statements.length === 1 ? statements.map(read) : statements.map(withPlace(read)) };
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (failure) {
    const where = failure instanceof Error ? `: ${failure.message}` : "";
    throw new PolicyError(`The policy is not valid JSON${where}.`);
  }
}

/** Of several statements the message says which it is about. */
const withPlace =
  <T>(read: (statement: unknown) => T) =>
  (statement: unknown, at: number): T => {
    try {
      return read(statement);
    } catch (failure) {
      throw failure instanceof PolicyError ? new PolicyError(`Statement ${at + 1}: ${failure.message}`) : failure;
    }
  };

function statementOf(fields: Fields, bucket: string): PolicyStatement {
  if ("NotResource" in fields) throw new PolicyError("NotResource is not supported by this server.");
  assertKnown(fields, STATEMENT, "A statement");
  const { Sid, Effect, Principal, NotPrincipal, Action, NotAction, Resource, Condition } = fields;
  if (Sid !== undefined && typeof Sid !== "string") throw new PolicyError("Sid must be a text.");
  if (Effect !== "Allow" && Effect !== "Deny") throw new PolicyError("Effect must be Allow or Deny.");
  if ((Action === undefined) === (NotAction === undefined)) {
    throw new PolicyError("A statement has either Action or NotAction.");
  }
  const isNotAction = Action === undefined;
  if (Principal !== undefined && NotPrincipal !== undefined) {
    throw new PolicyError("A statement has either Principal or NotPrincipal.");
  }
  const isNotPrincipal = NotPrincipal !== undefined;
  const principals = principalsOf(NotPrincipal ?? Principal);
  if (isNotPrincipal && principals === "everyone")
    throw new PolicyError("NotPrincipal must name someone, not everyone.");
  return {
    effect: Effect,
    principals,
    isNotPrincipal,
    actions: textsOf(Action ?? NotAction, isNotAction ? "NotAction" : "Action").map(actionOf),
    isNotAction,
    resources: textsOf(Resource, "Resource").map((resource) => resourceOf(resource, bucket)),
    conditions: Condition === undefined ? [] : conditionsOf(fieldsOf(Condition, "Condition")),
  };
}

function principalsOf(principal: unknown): PolicyPrincipals {
  if (principal === "*") return "everyone";
  const fields = fieldsOf(principal, "Principal");
  assertKnown(fields, ["AWS", "CanonicalUser"], "Principal");
  const names = Object.entries(fields).flatMap(([kind, value]) => textsOf(value, `Principal.${kind}`));
  if (names.length === 0) throw new PolicyError("Principal must name someone.");
  return names.includes("*") ? "everyone" : new Set(names.map(principalOf));
}

/** The id of a tenant, a person or an API key. */
const ID = "(?:ten|usr|key)_[0-9a-z]{26}";
const PRINCIPAL = new RegExp(`^(?:(${ID})|arn:aws:iam::(${ID})?:(root|user/(${ID})))$`);

function principalOf(name: string): string {
  const [, id, account, path, user] = PRINCIPAL.exec(name) ?? [];
  const found = id ?? user ?? (path === "root" ? account : undefined);
  if (found !== undefined) return found;
  throw new PolicyError(
    `Principal has ${quoted(name)}, expected "*", the id of a tenant (ten_…), arn:aws:iam::<tenant>:root, or arn:aws:iam::<tenant>:user/<id of a person or an API key>.`,
  );
}

function actionOf(name: string): string {
  const action = name.toLowerCase();
  if (action.includes("?"))
    throw new PolicyError(`Action has ${quoted(name)}; the wildcard ? is not supported by this server.`);
  if (POLICY_ACTIONS.some((known) => matchesWildcard(action, known))) return action;
  throw new PolicyError(`Action has ${quoted(name)}, which is no action of S3 on buckets or objects.`);
}

/** The resource without the beginning that all have; it is in the bucket. */
function resourceOf(arn: string, bucket: string): string {
  const resource = arn.slice(ARN.length);
  const slash = resource.indexOf("/");
  const name = slash < 0 ? resource : resource.slice(0, slash);
  if (arn.startsWith(ARN) && !resource.includes("?") && !resource.includes("${") && matchesWildcard(name, bucket)) {
    return resource;
  }
  throw new PolicyError(
    `Resource has ${quoted(arn)}, expected ${ARN}${bucket} or ${ARN}${bucket}/<key>, with * as the only wildcard.`,
  );
}

const conditionsOf = (operators: Fields): PolicyCondition[] =>
  Object.entries(operators).flatMap(([operator, keys]) =>
    Object.entries(fieldsOf(keys, operator)).map(([key, values]) =>
      conditionOf(operator, key, valuesOf(values, `${operator}.${key}`)),
    ),
  );

/** Values of conditions may be numbers and booleans. */
function valuesOf(value: unknown, name: string): string[] {
  const values = Array.isArray(value) ? value : [value];
  const texts = values.map((each: unknown) =>
    typeof each === "number" || typeof each === "boolean" ? String(each) : each,
  );
  return textsOf(texts, name);
}

/** One text, or a list of texts that is not empty. */
function textsOf(value: unknown, name: string): string[] {
  const texts: unknown[] = Array.isArray(value) ? value : [value];
  const found = texts.filter((each) => typeof each === "string");
  if (texts.length === 0 || found.length < texts.length) {
    throw new PolicyError(`${name.slice(0, 80)} must be a text or a list of texts.`);
  }
  const variable = found.find((each) => each.includes("${"));
  if (variable === undefined) return found;
  throw new PolicyError(`${name.slice(0, 80)} has ${quoted(variable)}; variables are not supported by this server.`);
}

function fieldsOf(value: unknown, name: string): Fields {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Fields;
  throw new PolicyError(`${name.slice(0, 80)} must be a JSON object.`);
}

function assertKnown(fields: Fields, known: readonly string[], name: string): void {
  const unknown = Object.keys(fields).find((field) => !known.includes(field));
  if (unknown === undefined) return;
  throw new PolicyError(`${name} has the element ${quoted(unknown)}, expected ${known.join(", ")}.`);
}
