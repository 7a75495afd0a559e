import type { Metadata } from "next";
import { AdvertiserList } from "./advertiser-list";

export const metadata: Metadata = { title: "Advertisers" };

export default function AdvertisersPage() {
  return <AdvertiserList />;
}
