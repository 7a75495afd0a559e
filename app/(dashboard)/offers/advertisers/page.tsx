import type { Metadata } from "next";
import { AdvertiserList } from "./advertiser-list";
import { NetworkChannels } from "./network-channels";

export const metadata: Metadata = { title: "Advertisers" };

export default function AdvertisersPage() {
  return (
    <div className="space-y-6">
      <AdvertiserList />
      <NetworkChannels />
    </div>
  );
}
