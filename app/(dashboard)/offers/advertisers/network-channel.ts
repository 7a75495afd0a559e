import type { Outputs } from "../../../trpc/client";

export type NetworkChannels = Outputs["advertisers"]["networkChannels"];
export type NetworkChannel = NetworkChannels["data"][number];
