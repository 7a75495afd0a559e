import { objectLockOf } from "../../cloud/data/buckets/bucket";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { modeNamed, modeText } from "./lock-headers";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { optionalTag, tag, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const ROOT = "ObjectLockConfiguration";
/** S3's limits of a default retention. */
const PERIODS_MAX = { Days: 36_500, Years: 100 } as const;

const getObjectLockConfiguration = readsBucket("GetObjectLockConfiguration", ({ bucket }) => {
  const lock = objectLockOf(bucket);
  if (!lock) {
    throw new S3Error(
      "ObjectLockConfigurationNotFoundError",
      "Object Lock configuration does not exist for this bucket.",
    );
  }
  const rule = lock.default_retention;
  const retention = rule && [
    tag("Mode", modeText(rule.mode)),
    ...optionalTag("Days", rule.days),
    ...optionalTag("Years", rule.years),
  ];
  return {
    body: xmlDocument(ROOT, [
      tag("ObjectLockEnabled", "Enabled"),
      ...(retention ? [tag("Rule", tag("DefaultRetention", retention))] : []),
    ]),
  };
});

const putObjectLockConfiguration = changesBucket("PutObjectLockConfiguration", async (call) => {
  const document = await readDocument(call, ROOT);
  if (textIn(document, "ObjectLockEnabled") !== "Enabled") {
    throw new S3Error("MalformedXML", "ObjectLockEnabled must be Enabled.");
  }
  const rules = childrenOf(document, "Rule");
  const [rule] = rules;
  if (rules.length > 1) throw new S3Error("MalformedXML", `A ${ROOT} has at most one Rule.`);
  return changeBucket(call, { object_lock: { default_retention: rule ? defaultRetentionOf(rule) : null } });
});

function defaultRetentionOf(rule: XmlElement) {
  const [element, ...others] = childrenOf(rule, "DefaultRetention");
  const mode = element && modeNamed(textIn(element, "Mode") ?? "");
  if (!element || !mode || others.length > 0) {
    throw new S3Error("MalformedXML", "A Rule has one DefaultRetention with the Mode GOVERNANCE or COMPLIANCE.");
  }
  const [days, years] = [periodIn(element, "Days"), periodIn(element, "Years")];
  if ((days === undefined) === (years === undefined)) {
    throw new S3Error("MalformedXML", "A DefaultRetention has either Days or Years.");
  }
  return { mode, ...(days !== undefined && { days }), ...(years !== undefined && { years }) };
}

function periodIn(element: XmlElement, name: keyof typeof PERIODS_MAX): number | undefined {
  const text = textIn(element, name);
  if (text === undefined) return undefined;
  if (!/^-?\d{1,9}$/.test(text)) throw new S3Error("MalformedXML", `${name} must be a whole number.`);
  const number = Number(text);
  if (number >= 1 && number <= PERIODS_MAX[name]) return number;
  const reason = number < 1 ? "must be a positive integer value" : `has at most ${PERIODS_MAX[name]} ${name}`;
  throw new S3Error("InvalidArgument", `Default retention period ${reason}.`, {
    elements: [tag("ArgumentName", name), tag("ArgumentValue", number)],
  });
}

/** Whether versions can be locked, and how long new ones are retained, by `METHOD ?sub-resource`. */
export const LOCK_SETTINGS: Readonly<Record<string, S3Operation<BucketCall>>> = {
  "GET ?object-lock": getObjectLockConfiguration,
  "PUT ?object-lock": putObjectLockConfiguration,
};
