import type { Metadata } from "next";
import { Usage } from "./usage";

export const metadata: Metadata = { title: "Usage" };

export default function UsagePage() {
  return <Usage />;
}
