import type { Outputs } from "../../../trpc/client";

export type Bucket = Outputs["cloud"]["storage"]["getBucket"];
export type StoredObject = Outputs["cloud"]["storage"]["listObjects"]["data"][number];
export type Tier = Bucket["tier"];
