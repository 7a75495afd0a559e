import { bucketGrants, fullControlOf, ObjectOwnership } from "../../cloud/data/buckets/access-list";
import { isSame } from "./access-lists";
import { changeBucket, changesBucket, readsBucket } from "./bucket-setting";
import { childrenOf, textIn } from "./read-xml";
import { S3Error } from "./s3-error";
import { tag, xmlDocument } from "./write-xml";
import { readDocument } from "./xml-body";

type Ownership = ReturnType<typeof ObjectOwnership.parse>;

export const getBucketOwnershipControls = readsBucket("GetBucketOwnershipControls", ({ bucket }) => ({
  body: xmlDocument("OwnershipControls", tag("Rule", tag("ObjectOwnership", bucket.objectOwnership))),
}));

export const putBucketOwnershipControls = changesBucket("PutBucketOwnershipControls", async (call) => {
  const [rule] = childrenOf(await readDocument(call, "OwnershipControls"), "Rule");
  const ownership = asOwnership(rule && textIn(rule, "ObjectOwnership"));
  if (!ownership) {
    throw new S3Error("MalformedXML", `The ObjectOwnership of a Rule must be ${ObjectOwnership.options.join(", ")}.`);
  }
  const { bucket } = call;
  const grants = bucketGrants({ ...bucket, publicRead: false });
  if (ownership === "BucketOwnerEnforced" && !isSame(grants, fullControlOf(bucket.tenantId))) throw listGrants();
  return changeBucket(call, { object_ownership: ownership });
});

export const deleteBucketOwnershipControls = changesBucket("DeleteBucketOwnershipControls", (call) =>
  changeBucket(call, { object_ownership: "ObjectWriter" }, 204),
);

/** The ownership that a new bucket is to have, with which it may have no list. */
export function askedOwnership(headers: ReadonlyMap<string, string>, hasList: boolean): Ownership | undefined {
  const header = headers.get("x-amz-object-ownership");
  const ownership = asOwnership(header);
  if (header !== undefined && !ownership) {
    throw new S3Error("InvalidArgument", `x-amz-object-ownership must be ${ObjectOwnership.options.join(", ")}.`);
  }
  if (ownership === "BucketOwnerEnforced" && hasList) throw listGrants();
  return ownership;
}

const asOwnership = (text: string | undefined): Ownership | undefined =>
  ObjectOwnership.options.find((option) => option === text);

const listGrants = (): S3Error =>
  new S3Error(
    "InvalidBucketAclWithObjectOwnership",
    "With BucketOwnerEnforced a bucket can have only the access list private; set that first.",
  );
