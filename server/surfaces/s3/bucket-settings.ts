import type { z } from "zod";
import type { CorsRules } from "../../cloud/data/buckets/bucket-rules";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { childrenOf, textIn, type XmlElement } from "./read-xml";
import { S3Error } from "./s3-error";
import { optionalTag, tag, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

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
