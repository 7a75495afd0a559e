import type { Outputs } from "../../../trpc/client";

export type Conversion = Outputs["listConversions"]["data"][number];
export type Advertiser = Outputs["listAdvertisers"]["data"][number];
