import type { Outputs } from "../../../trpc/client";

export type Advertiser = Outputs["advertisers"]["list"]["data"][number];
