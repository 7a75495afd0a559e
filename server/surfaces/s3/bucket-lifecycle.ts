import { lifecycleRulesOf } from "../../cloud/data/buckets/bucket";
import { ServiceError } from "../../kernel/errors";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import { S3Error } from "./s3-error";
import { storageClassOf, tierOfClass } from "./storage-class";
import { optionalTag, tag, type Xml, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

type Rule = ReturnType<typeof lifecycleRulesOf>[number];

const getLifecycle = readsBucket("GetBucketLifecycleConfiguration", ({ bucket }) => {
  const rules = lifecycleRulesOf(bucket);
  if (rules.length === 0) throw new S3Error("NoSuchLifecycleConfiguration", "The bucket has no lifecycle rules.");
  return { body: xmlDocument("LifecycleConfiguration", rules.map(ruleTag)) };
});

const putLifecycle = changesBucket("PutBucketLifecycleConfiguration", async (call) => {
  const elements = childrenOf(await readDocument(call, "LifecycleConfiguration"), "Rule");
  if (elements.length === 0) throw malformed("A LifecycleConfiguration has at least one Rule.");
  const taken = new Set(elements.map((element) => textIn(element, "ID")));
  const rules = elements.map((element) => {
    const rule = ruleOf(element);
    return { ...rule, id: rule.id || freeId(taken) };
  });
  return changeBucket(call, { lifecycle_rules: rules }).catch((failure) => {
    throw asRuleFailure(failure);
  });
});

const deleteLifecycle = changesBucket("DeleteBucketLifecycle", (call) =>
  changeBucket(call, { lifecycle_rules: [] }, 204),
);

export const LIFECYCLE_OPERATIONS = {
  "GET ?lifecycle": getLifecycle,
  "PUT ?lifecycle": putLifecycle,
  "DELETE ?lifecycle": deleteLifecycle,
};

function freeId(taken: Set<string | undefined>): string {
  let number = 1;
  while (taken.has(`rule-${number}`)) number++;
  taken.add(`rule-${number}`);
  return `rule-${number}`;
}

/** S3 tells elements that must not be together (`InvalidRequest`) from wrong values (`InvalidArgument`). */
function asRuleFailure(failure: unknown): unknown {
  const isCombination = failure instanceof ServiceError && /^lifecycle_rules\[\d+\]$/.test(failure.param ?? "");
  return isCombination ? new S3Error("InvalidRequest", failure.message, { cause: failure }) : failure;
}

const malformed = (message: string): S3Error => new S3Error("MalformedXML", message);

function ruleTag(rule: Rule): Xml {
  const noncurrent = rule.expire_noncurrent_days !== undefined && [
    tag("NoncurrentDays", rule.expire_noncurrent_days),
    ...optionalTag("NewerNoncurrentVersions", rule.keep_noncurrent),
  ];
  const expiration = [
    ...optionalTag("Days", rule.expire_days),
    ...optionalTag("Date", rule.expire_date && midnight(rule.expire_date)),
    ...optionalTag("ExpiredObjectDeleteMarker", rule.expire_markers),
  ];
  return tag("Rule", [
    tag("ID", rule.id),
    rule.legacy_prefix ? tag("Prefix", rule.prefix) : tag("Filter", filterTags(rule)),
    tag("Status", rule.enabled ? "Enabled" : "Disabled"),
    ...(expiration.length > 0 ? [tag("Expiration", expiration)] : []),
    ...(rule.transitions ?? []).map(({ days, date, tier }) =>
      tag("Transition", [
        ...optionalTag("Days", days),
        ...optionalTag("Date", date && midnight(date)),
        tag("StorageClass", storageClassOf(tier)),
      ]),
    ),
    ...(noncurrent ? [tag("NoncurrentVersionExpiration", noncurrent)] : []),
    ...(rule.noncurrent_transitions ?? []).map(({ days, keep, tier }) =>
      tag("NoncurrentVersionTransition", [
        tag("NoncurrentDays", days),
        tag("StorageClass", storageClassOf(tier)),
        ...optionalTag("NewerNoncurrentVersions", keep),
      ]),
    ),
    ...(rule.abort_upload_days === undefined
      ? []
      : [tag("AbortIncompleteMultipartUpload", tag("DaysAfterInitiation", rule.abort_upload_days))]),
  ]);
}

const midnight = (day: string): string => `${day}T00:00:00.000Z`;

/** Several conditions are in an `And`. */
function filterTags({ prefix, tags = [], larger_than, smaller_than }: Rule): Xml[] {
  const others = [
    ...tags.map(({ key, value }) => tag("Tag", [tag("Key", key), tag("Value", value)])),
    ...optionalTag("ObjectSizeGreaterThan", larger_than),
    ...optionalTag("ObjectSizeLessThan", smaller_than),
  ];
  const all = prefix === "" && others.length > 0 ? others : [tag("Prefix", prefix), ...others];
  return all.length > 1 ? [tag("And", all)] : all;
}

/** The elements of a rule that svc has; another one must not be ignored, since it decides what is deleted. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  Rule: [
    "ID",
    "Prefix",
    "Filter",
    "Status",
    "Expiration",
    "Transition",
    "NoncurrentVersionExpiration",
    "NoncurrentVersionTransition",
    "AbortIncompleteMultipartUpload",
  ],
  Filter: ["Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan", "And"],
  And: ["Prefix", "Tag", "ObjectSizeGreaterThan", "ObjectSizeLessThan"],
  Tag: ["Key", "Value"],
  Expiration: ["Days", "Date", "ExpiredObjectDeleteMarker"],
  Transition: ["Days", "Date", "StorageClass"],
  NoncurrentVersionExpiration: ["NoncurrentDays", "NewerNoncurrentVersions"],
  NoncurrentVersionTransition: ["NoncurrentDays", "NewerNoncurrentVersions", "StorageClass"],
  AbortIncompleteMultipartUpload: ["DaysAfterInitiation"],
};
/** Elements of which there may be several. */
const REPEATED = new Set(["Transition", "NoncurrentVersionTransition", "Tag"]);

function assertKnown(element: XmlElement): void {
  const known = ELEMENTS[element.name];
  const seen = new Set<string>();
  for (const child of element.children) {
    if (known && !known.includes(child.name)) {
      throw new S3Error("NotImplemented", `${child.name.slice(0, 80)} in ${element.name} is not supported.`);
    }
    if (seen.has(child.name) && !REPEATED.has(child.name)) {
      throw malformed(`${element.name} has ${child.name.slice(0, 80)} more than once.`);
    }
    seen.add(child.name);
    assertKnown(child);
  }
}

/** A rule in the words of the REST API; without an id if it has none. */
function ruleOf(element: XmlElement) {
  assertKnown(element);
  const child = (name: string) => childrenOf(element, name)[0];
  const [filter, legacyPrefix] = [child("Filter"), textIn(element, "Prefix")];
  if (filter && legacyPrefix !== undefined) throw malformed("A Rule has either a Filter or a Prefix.");
  const status = textIn(element, "Status");
  if (status !== "Enabled" && status !== "Disabled") {
    throw malformed("Status of a Rule must be Enabled or Disabled.");
  }
  const noncurrent = child("NoncurrentVersionExpiration");
  const abort = child("AbortIncompleteMultipartUpload");
  const transitions = childrenOf(element, "Transition").map(transitionOf);
  const older = childrenOf(element, "NoncurrentVersionTransition").map(noncurrentTransitionOf);
  return {
    id: textIn(element, "ID"),
    prefix: legacyPrefix ?? "",
    ...(legacyPrefix !== undefined && { legacy_prefix: true }),
    ...(filter && filterOf(filter)),
    enabled: status === "Enabled",
    ...expirationOf(child("Expiration")),
    ...(noncurrent && {
      ...optional("expire_noncurrent_days", numberIn(noncurrent, "NoncurrentDays")),
      ...optional("keep_noncurrent", numberIn(noncurrent, "NewerNoncurrentVersions")),
    }),
    ...(abort && optional("abort_upload_days", numberIn(abort, "DaysAfterInitiation"))),
    // In any order, as S3 takes them.
    ...(transitions.length > 0 && { transitions: transitions.sort((a, b) => orderOf(a) - orderOf(b)) }),
    ...(older.length > 0 && { noncurrent_transitions: older.sort((a, b) => a.days - b.days) }),
  };
}

function filterOf(filter: XmlElement) {
  if (filter.children.length > 1) throw malformed("A Filter has one element; put several into an And.");
  const all = childrenOf(filter, "And")[0] ?? filter;
  const tags = childrenOf(all, "Tag").map((element) => {
    const [key, value] = ["Key", "Value"].map((name) => childrenOf(element, name)[0]?.text);
    if (key === undefined || value === undefined) throw malformed("A Tag has a Key and a Value.");
    return { key, value };
  });
  return {
    ...optional("prefix", textIn(all, "Prefix")),
    ...(tags.length > 0 && { tags }),
    ...optional("larger_than", numberIn(all, "ObjectSizeGreaterThan")),
    ...optional("smaller_than", numberIn(all, "ObjectSizeLessThan")),
  };
}

function expirationOf(element: XmlElement | undefined) {
  if (!element) return {};
  const marker = textIn(element, "ExpiredObjectDeleteMarker");
  if (marker !== undefined && marker !== "true" && marker !== "false") {
    throw malformed("ExpiredObjectDeleteMarker must be true or false.");
  }
  if (element.children.length !== 1) {
    throw malformed("An Expiration has one of Days, Date and ExpiredObjectDeleteMarker.");
  }
  return {
    ...optional("expire_days", numberIn(element, "Days")),
    ...optional("expire_date", dayIn(element)),
    ...(marker === "true" && { expire_markers: true }),
  };
}

function transitionOf(element: XmlElement) {
  const [days, date] = [numberIn(element, "Days"), dayIn(element)];
  if ((days === undefined) === (date === undefined)) throw malformed("A Transition has either Days or a Date.");
  return { ...optional("days", days), ...optional("date", date), tier: tierIn(element) };
}

const noncurrentTransitionOf = (element: XmlElement) => ({
  days: numberIn(element, "NoncurrentDays") ?? 0,
  ...optional("keep", numberIn(element, "NewerNoncurrentVersions")),
  tier: tierIn(element),
});

const tierIn = (element: XmlElement) => tierOfClass(textIn(element, "StorageClass") ?? "");

const orderOf = ({ days, date }: { days?: number; date?: string }): number => days ?? Date.parse(date ?? "");

const optional = <N extends string, T>(name: N, value: T | undefined): { [K in N]?: T } =>
  (value === undefined ? {} : { [name]: value }) as { [K in N]?: T };

function numberIn(element: XmlElement, name: string): number | undefined {
  const text = textIn(element, name);
  if (text === undefined) return undefined;
  if (/^-?\d{1,15}$/.test(text)) return Number(text);
  throw malformed(`${name} must be a whole number.`);
}

/** A moment of ISO 8601 that is a midnight in UTC, as the day that begins with it. */
function dayIn(element: XmlElement): string | undefined {
  const text = textIn(element, "Date");
  if (text === undefined) return undefined;
  const date = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/.test(text)
    ? new Date(zoned(text))
    : undefined;
  if (!date || Number.isNaN(date.getTime())) throw malformed("Date must be a moment of ISO 8601.");
  const [day = "", time] = date.toISOString().split("T");
  if (time === "00:00:00.000Z") return day;
  throw new S3Error("InvalidArgument", "Date must be at midnight in UTC, such as 2030-01-31T00:00:00Z.");
}

/** Without a zone, it is in UTC. */
const zoned = (text: string): string =>
  /T.*(Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes("T") ? text : `${text}Z`;
