import type { Outputs } from "../../../trpc/client";

export type Conversion = Outputs["conversions"]["list"]["data"][number];
export type Advertiser = Outputs["advertisers"]["list"]["data"][number];
