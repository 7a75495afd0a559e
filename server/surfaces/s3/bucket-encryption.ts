import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { unsupportedAlgorithm } from "./encryption-headers";
import { childrenOf, textIn } from "./read-xml";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { tag, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

const ROOT = "ServerSideEncryptionConfiguration";
const DEFAULT = "ApplyServerSideEncryptionByDefault";

const getBucketEncryption = readsBucket("GetBucketEncryption", ({ bucket }) => {
  if (bucket.encryption === "none") {
    throw new S3Error(
      "ServerSideEncryptionConfigurationNotFoundError",
      "The bucket does not encrypt objects that ask for nothing.",
    );
  }
  const algorithm = tag(DEFAULT, tag("SSEAlgorithm", bucket.encryption));
  return { body: xmlDocument(ROOT, tag("Rule", [algorithm, tag("BucketKeyEnabled", false)])) };
});

const putBucketEncryption = changesBucket("PutBucketEncryption", async (call) => {
  const rules = childrenOf(await readDocument(call, ROOT), "Rule");
  const [byDefault] = rules.flatMap((rule) => childrenOf(rule, DEFAULT));
  const unknown = rules.flatMap(({ children }) => children).find(({ name }) => !KNOWN.has(name));
  if (unknown) throw new S3Error("NotImplemented", `${unknown.name.slice(0, 80)} in Rule is not supported.`);
  if (rules.length !== 1 || !byDefault) {
    throw new S3Error("MalformedXML", `A ${ROOT} has one Rule with ${DEFAULT}.`);
  }
  const algorithm = textIn(byDefault, "SSEAlgorithm") ?? "";
  if (algorithm !== "AES256") throw unsupportedAlgorithm("SSEAlgorithm", algorithm);
  if (textIn(byDefault, "KMSMasterKeyID")) {
    throw new S3Error("InvalidArgument", "KMSMasterKeyID does not go with the SSEAlgorithm AES256.");
  }
  return changeBucket(call, { encryption: algorithm });
});

const KNOWN = new Set([DEFAULT, "BucketKeyEnabled"]);

const deleteBucketEncryption = changesBucket("DeleteBucketEncryption", (call) =>
  changeBucket(call, { encryption: "none" }, 204),
);

/** How new objects are encrypted that ask for nothing, by `METHOD ?sub-resource`. */
export const ENCRYPTION_OPERATIONS: Readonly<Record<string, S3Operation<BucketCall>>> = {
  "GET ?encryption": getBucketEncryption,
  "PUT ?encryption": putBucketEncryption,
  "DELETE ?encryption": deleteBucketEncryption,
};
