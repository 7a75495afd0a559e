import type { Metadata } from "next";
import { CloudUsage } from "./cloud-usage";

export const metadata: Metadata = { title: "Usage and invoices" };

export default function Page() {
  return <CloudUsage />;
}
