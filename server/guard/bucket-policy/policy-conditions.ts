import { isInNetworks, type Network, parseNetwork } from "../../kernel/networks";
import { PolicyError, quoted } from "./policy-error";
import { matchesWildcard } from "./wildcard";

/** One operator and key of a `Condition`, with the values of which one must fit. */
export interface PolicyCondition {
  operator: Operator;
  /** In lower case but for what follows a slash, which is the key of a tag. */
  key: string;
  values: readonly string[];
  ifExists: boolean;
  quantifier: "any" | "all" | undefined;
}

/** The values that a request has for a condition key; undefined if it has none. */
export type ConditionValues = (key: string) => readonly string[] | undefined;

interface Comparison {
  /** What a value must be; checked when the policy is read. */
  isValue: (value: string) => boolean;
  expected: string;
  fits: (value: string, asked: string) => boolean;
}

const text = (fits: Comparison["fits"]): Comparison => ({ isValue: () => true, expected: "a text", fits });
const like: Comparison = {
  isValue: (value) => !value.includes("?"),
  expected: "a text with * as the only wildcard",
  fits: matchesWildcard,
};
const lower = (value: string): string => value.toLowerCase();

const isNumber = (value: string): boolean => /^-?\d{1,15}(\.\d{1,6})?$/.test(value);
const number = (fits: (asked: number, value: number) => boolean): Comparison => ({
  isValue: isNumber,
  expected: "a number",
  fits: (value, asked) => isNumber(asked) && fits(Number(asked), Number(value)),
});

const DATE = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d))?$/;
/** Milliseconds since 1970 of an ISO date, or of seconds since 1970; NaN for other texts. */
const timeOf = (value: string): number => {
  if (/^\d{1,12}$/.test(value)) return Number(value) * 1000;
  return DATE.test(value) ? Date.parse(value) : Number.NaN;
};
const date = (fits: (asked: number, value: number) => boolean): Comparison => ({
  isValue: (value) => !Number.isNaN(timeOf(value)),
  expected: "a date such as 2027-01-31T00:00:00Z",
  fits: (value, asked) => !Number.isNaN(timeOf(asked)) && fits(timeOf(asked), timeOf(value)),
});

const isBoolean = (value: string): boolean => /^(true|false)$/i.test(value);
const networkOf = (value: string): Network[] => {
  const network = parseNetwork(value);
  return network ? [network] : [];
};

/** Operators whose negation has a name of its own are in `NEGATED`. */
const COMPARISONS = {
  StringEquals: text((value, asked) => value === asked),
  StringEqualsIgnoreCase: text((value, asked) => lower(value) === lower(asked)),
  StringLike: like,
  ArnEquals: like,
  ArnLike: like,
  NumericEquals: number((asked, value) => asked === value),
  NumericLessThan: number((asked, value) => asked < value),
  NumericLessThanEquals: number((asked, value) => asked <= value),
  NumericGreaterThan: number((asked, value) => asked > value),
  NumericGreaterThanEquals: number((asked, value) => asked >= value),
  DateEquals: date((asked, value) => asked === value),
  DateLessThan: date((asked, value) => asked < value),
  DateLessThanEquals: date((asked, value) => asked <= value),
  DateGreaterThan: date((asked, value) => asked > value),
  DateGreaterThanEquals: date((asked, value) => asked >= value),
  Bool: { isValue: isBoolean, expected: "true or false", fits: (value, asked) => lower(value) === lower(asked) },
  IpAddress: {
    isValue: (value) => networkOf(value).length === 1,
    expected: "an address or a network such as 203.0.113.0/24",
    fits: (value, asked) => isInNetworks(networkOf(value), asked),
  },
} as const satisfies Record<string, Comparison>;

const NEGATED = {
  StringNotEquals: "StringEquals",
  StringNotEqualsIgnoreCase: "StringEqualsIgnoreCase",
  StringNotLike: "StringLike",
  ArnNotEquals: "ArnEquals",
  ArnNotLike: "ArnLike",
  NumericNotEquals: "NumericEquals",
  DateNotEquals: "DateEquals",
  NotIpAddress: "IpAddress",
} as const satisfies Record<string, keyof typeof COMPARISONS>;

type Operator = keyof typeof COMPARISONS | keyof typeof NEGATED | "Null";

const isNegated = (operator: string): operator is keyof typeof NEGATED => Object.hasOwn(NEGATED, operator);
const isCompared = (operator: string): operator is keyof typeof COMPARISONS => Object.hasOwn(COMPARISONS, operator);
const comparisonOf = (operator: keyof typeof COMPARISONS | keyof typeof NEGATED): Comparison =>
  COMPARISONS[isNegated(operator) ? NEGATED[operator] : operator];

/** Condition keys that a request can have a value for. Any other one is a mistake or a feature that svc does not have. */
const KEYS = new Set(
  [
    "aws:currenttime aws:epochtime aws:principalaccount aws:principaltype aws:referer aws:securetransport aws:sourceip",
    "aws:useragent aws:userid s3:authtype s3:delimiter s3:max-keys s3:object-lock-legal-hold s3:object-lock-mode",
    "s3:object-lock-remaining-retention-days s3:object-lock-retain-until-date s3:prefix s3:requestobjecttagkeys",
    "s3:resourceaccount s3:signatureage s3:signatureversion s3:versionid s3:x-amz-acl s3:x-amz-content-sha256",
    "s3:x-amz-copy-source s3:x-amz-grant-full-control s3:x-amz-grant-read s3:x-amz-grant-read-acp",
    "s3:x-amz-grant-write s3:x-amz-grant-write-acp s3:x-amz-metadata-directive s3:x-amz-server-side-encryption",
    "s3:x-amz-server-side-encryption-aws-kms-key-id s3:x-amz-server-side-encryption-customer-algorithm",
    "s3:x-amz-storage-class",
  ].flatMap((line) => line.split(" ")),
);
const TAG_KEY = /^(s3:existingobjecttag|s3:requestobjecttag)\/(.{1,128})$/is;

/** The condition of an operator and a key as a policy has it. Throws `PolicyError`. */
export function conditionOf(name: string, key: string, values: readonly string[]): PolicyCondition {
  const [, quantifier, base = "", ifExists] = /^(?:ForA(ny|ll)Values?:)?(.*?)(IfExists)?$/s.exec(name) ?? [];
  if (base !== "Null" && !isCompared(base) && !isNegated(base)) {
    throw new PolicyError(`Condition has the operator ${quoted(name)}, which this server does not support.`);
  }
  const tagKey = TAG_KEY.exec(key);
  const known = tagKey ? `${lower(tagKey[1] ?? "")}/${tagKey[2]}` : lower(key);
  if (!tagKey && !KEYS.has(known)) {
    throw new PolicyError(`Condition has the key ${quoted(key)}, which this server does not support.`);
  }
  const { isValue, expected } = base === "Null" ? COMPARISONS.Bool : comparisonOf(base);
  const wrong = values.find((value) => !isValue(value));
  if (wrong !== undefined)
    throw new PolicyError(`${name} of ${known} has the value ${quoted(wrong)}, expected ${expected}.`);
  return {
    operator: base,
    key: known,
    values,
    ifExists: ifExists !== undefined,
    quantifier: quantifier === "ny" ? "any" : quantifier === "ll" ? "all" : undefined,
  };
}

/** Whether a request meets a condition. */
export function meetsCondition(condition: PolicyCondition, valuesOf: ConditionValues): boolean {
  const { operator, key, values, ifExists, quantifier } = condition;
  const asked = valuesOf(key);
  if (operator === "Null") return values.some((value) => (lower(value) === "true") === (asked === undefined));
  const isNot = isNegated(operator);
  const { fits } = comparisonOf(operator);
  const meets = (one: string): boolean => values.some((value) => fits(value, one)) !== isNot;
  if (asked === undefined || asked.length === 0)
    return ifExists || quantifier === "all" || (isNot && quantifier === undefined);
  if (quantifier === "all") return asked.every(meets);
  // Without a quantifier a negated operator is about every value that the request has.
  return isNot && quantifier === undefined ? asked.every(meets) : asked.some(meets);
}

/** Keys with which a statement that is for everyone applies only to some. */
const NARROWING = new Set(["aws:sourceip", "aws:principalaccount", "aws:userid"]);

/** Whether a condition limits a statement to clients that the policy names: fixed values, or networks that are not all. */
export function isNarrowing({ operator, key, values, ifExists }: PolicyCondition): boolean {
  if (!NARROWING.has(key) || ifExists || isNegated(operator) || operator === "Null") return false;
  if (operator === "IpAddress") return values.every((value) => networkOf(value).every(([, bits]) => bits > 0));
  return values.every((value) => !/[*?]/.test(value));
}
