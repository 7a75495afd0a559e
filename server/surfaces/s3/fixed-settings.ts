import { textIn, type XmlElement } from "./read-xml";
import type { BucketCall, S3Operation } from "./s3-call";
import { S3Error } from "./s3-error";
import { readDocument } from "./xml-body";

interface Fixed {
  name: string;
  root: string;
  read: (document: XmlElement) => string | undefined;
  /** Undefined: nothing. */
  value: string | undefined;
}

/** Setting what every bucket has changes nothing; another value is refused. */
const fixed = ({ name, root, read, value }: Fixed): S3Operation<BucketCall> => ({
  name,
  access: "storage:write",
  run: async (call) => {
    if (read(await readDocument(call, root)) === value) return {};
    throw new S3Error("NotImplemented", `${name} is supported only ${value ? `with ${value}` : "to turn it off"}.`);
  },
});

export const putBucketRequestPayment = fixed({
  name: "PutBucketRequestPayment",
  root: "RequestPaymentConfiguration",
  read: (document) => textIn(document, "Payer"),
  value: "BucketOwner",
});

export const putBucketLogging = fixed({
  name: "PutBucketLogging",
  root: "BucketLoggingStatus",
  read: (document) => document.children[0]?.name,
  value: undefined,
});
