import type { Outputs } from "../../../trpc/client";

export type Advertiser = Outputs["listAdvertisers"]["data"][number];
