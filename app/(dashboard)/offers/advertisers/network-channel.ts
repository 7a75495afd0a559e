import type { Outputs } from "../../../trpc/client";

export type NetworkChannels = Outputs["listNetworkChannels"];
export type NetworkChannel = NetworkChannels["data"][number];
