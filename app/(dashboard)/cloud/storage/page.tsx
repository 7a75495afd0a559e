import type { Metadata } from "next";
import { BucketList } from "./bucket-list";

export const metadata: Metadata = { title: "Storage" };

export default function StoragePage() {
  return <BucketList />;
}
