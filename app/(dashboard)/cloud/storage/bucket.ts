import type { Outputs } from "../../../trpc/client";

export type Bucket = Outputs["getBucket"];
export type StoredObject = Outputs["listObjects"]["data"][number];
