import type { BucketCall, S3Call, S3Operation } from "./s3-call";
import { type S3Code, S3Error } from "./s3-error";
import { tag, type Xml, xmlDocument } from "./write-xml";

const read = <C extends S3Call>(name: string, body: () => string): S3Operation<C> => ({
  name,
  access: "storage:read",
  run: async () => ({ body: body() }),
});

const absent = (name: string, code: S3Code, what: string): S3Operation<BucketCall> =>
  read(name, () => {
    throw new S3Error(code, `The bucket has no ${what}, and cannot have one on this server.`);
  });

const fixed = (name: string, root: string, ...contents: readonly Xml[]): S3Operation<BucketCall> =>
  read(name, () => xmlDocument(root, ...contents));

/**
 * Settings of Amazon S3 that no bucket has here. Tools read them before they do anything, and expect what a bucket of S3
 * returns on which nothing is set; writing one of them is `NotImplemented`.
 */
export const ABSENT_SETTINGS: Readonly<Record<string, S3Operation<BucketCall>>> = {
  "GET ?accelerate": fixed("GetBucketAccelerateConfiguration", "AccelerateConfiguration"),
  "GET ?logging": fixed("GetBucketLogging", "BucketLoggingStatus"),
  "GET ?notification": fixed("GetBucketNotificationConfiguration", "NotificationConfiguration"),
  "GET ?replication": absent("GetBucketReplication", "ReplicationConfigurationNotFoundError", "replication"),
  "GET ?requestPayment": fixed("GetBucketRequestPayment", "RequestPaymentConfiguration", tag("Payer", "BucketOwner")),
  "GET ?website": absent("GetBucketWebsite", "NoSuchWebsiteConfiguration", "website"),
};
