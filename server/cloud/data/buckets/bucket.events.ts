import { z } from "zod";
import { type EventKind, eventKind, eventsOf } from "../../../operation/event-kind";
import { Bucket } from "./bucket";
import { bucketExample, newBucketExample } from "./bucket.example";

/** Without the name that the schema has in OpenAPI, so that the schema of an event is complete in itself. */
const BucketFields = Bucket.extend({});

const eventOf = eventsOf(BucketFields, newBucketExample);

export const bucketCreated = eventOf("bucket.created", "A bucket was created.");

export const bucketUpdated = eventKind({
  type: "bucket.updated",
  description: "The settings of a bucket changed, or its deletion began.",
  data: BucketFields.extend({ changed: z.array(z.string()).describe("The names of the changed fields") }),
  example: { ...bucketExample, changed: ["versioning"] },
});

export const bucketDeleted = eventOf("bucket.deleted", "A bucket was deleted, with its objects if it had any.");

export const bucketEventKinds: readonly EventKind[] = [bucketCreated, bucketUpdated, bucketDeleted];
