import type { z } from "zod";
import type { CorsRules } from "../../cloud/data/buckets/bucket-rules";
import { ALL_USERS } from "./access-lists";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { ownerTag } from "./owner-tag";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import type { BucketCall, ObjectCall, S3Operation, S3Result } from "./s3-call";
import { S3Error } from "./s3-error";
import { optionalTag, tag, tagWith, type Xml, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

export const getBucketVersioning = readsBucket("GetBucketVersioning", ({ bucket: { versioning } }) => {
  const status = { off: undefined, on: "Enabled", suspended: "Suspended" }[versioning];
  return { body: xmlDocument("VersioningConfiguration", optionalTag("Status", status)) };
});

export const putBucketVersioning = changesBucket("PutBucketVersioning", async (call) => {
  const document = await readDocument(call, "VersioningConfiguration");
  if (textIn(document, "MfaDelete") === "Enabled") throw new S3Error("NotImplemented", "MfaDelete is not supported.");
  const status = textIn(document, "Status");
  if (status !== "Enabled" && status !== "Suspended") {
    throw new S3Error("MalformedXML", "Status must be Enabled or Suspended.");
  }
  return changeBucket(call, { versioning: status === "Enabled" ? "on" : "suspended" });
});

type Cors = z.input<typeof CorsRules>;

export const getBucketCors = readsBucket("GetBucketCors", ({ bucket }) => {
  const rules = bucket.corsRules as unknown as Cors;
  if (rules.length === 0) throw new S3Error("NoSuchCORSConfiguration", "The bucket has no CORS rules.");
  const lists = (name: string, texts: readonly string[] = []) => texts.map((text) => tag(name, text));
  return {
    body: xmlDocument(
      "CORSConfiguration",
      rules.map((rule) =>
        tag("CORSRule", [
          ...lists("AllowedOrigin", rule.allowed_origins),
          ...lists("AllowedMethod", rule.allowed_methods),
          ...lists("AllowedHeader", rule.allowed_headers),
          ...lists("ExposeHeader", rule.expose_headers),
          ...optionalTag("MaxAgeSeconds", rule.max_age_seconds || undefined),
        ]),
      ),
    ),
  };
});

export const putBucketCors = changesBucket("PutBucketCors", async (call) => {
  const rules = childrenOf(await readDocument(call, "CORSConfiguration"), "CORSRule");
  if (rules.length === 0) throw new S3Error("MalformedXML", "A CORSConfiguration has at least one CORSRule.");
  const texts = (rule: XmlElement, name: string) => childrenOf(rule, name).map(({ text }) => text.trim());
  return changeBucket(call, {
    cors_rules: rules.map((rule) => ({
      allowed_origins: texts(rule, "AllowedOrigin"),
      allowed_methods: texts(rule, "AllowedMethod"),
      allowed_headers: texts(rule, "AllowedHeader"),
      expose_headers: texts(rule, "ExposeHeader"),
      max_age_seconds: numberIn(rule, "MaxAgeSeconds") ?? 0,
    })),
  });
});

export const deleteBucketCors = changesBucket("DeleteBucketCors", (call) =>
  changeBucket(call, { cors_rules: [] }, 204),
);

function numberIn(element: XmlElement, name: string): number | undefined {
  const text = textIn(element, name);
  if (text === undefined) return undefined;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new S3Error("MalformedXML", `${name} must be a whole number.`);
}

export const getBucketAcl = readsBucket("GetBucketAcl", ({ bucket }) => accessOf(bucket));

/** Objects have the access of their bucket. */
export const getObjectAcl: S3Operation<ObjectCall> = {
  name: "GetObjectAcl",
  access: "storage:read",
  run: async ({ cloud, bucket, key, request }) => {
    const versionId = request.query.get("versionId");
    await cloud.objects.read(bucket, { key, ...(versionId !== undefined && { versionId }) });
    return accessOf(bucket);
  },
};

function accessOf(bucket: BucketCall["bucket"]): S3Result {
  const owner = [tag("ID", bucket.tenantId), tag("DisplayName", bucket.tenantId)];
  const grant = (type: string, grantee: Xml | readonly Xml[], permission: string) =>
    tag("Grant", tagWith("Grantee", `${XSI} xsi:type="${type}"`, grantee), tag("Permission", permission));
  return {
    body: xmlDocument("AccessControlPolicy", [
      ownerTag("Owner", bucket.tenantId),
      tag("AccessControlList", [
        grant("CanonicalUser", owner, "FULL_CONTROL"),
        ...(bucket.publicRead ? [grant("Group", tag("URI", ALL_USERS), "READ")] : []),
      ]),
    ]),
  };
}
