import { z } from "zod";
import { type EventKind, eventKind } from "../../../operation/event-kind";
import { Bucket } from "./bucket";
import { bucketExample, newBucketExample } from "./bucket.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const BucketFields = Bucket.extend({});

export const bucketCreated = eventKind({
  type: "bucket.created",
  description: "A bucket was created.",
  data: BucketFields,
  example: newBucketExample,
});

export const bucketUpdated = eventKind({
  type: "bucket.updated",
  description: "The settings of a bucket changed, or its deletion began.",
  data: BucketFields.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...bucketExample, changed: ["versioning"] },
});

export const bucketDeleted = eventKind({
  type: "bucket.deleted",
  description: "A bucket was deleted, with its objects if it had any.",
  data: BucketFields,
  example: newBucketExample,
});

export const bucketEventKinds: readonly EventKind[] = [bucketCreated, bucketUpdated, bucketDeleted];
