import type { Metadata } from "next";
import { GpuPools } from "./gpu-pools";

export const metadata: Metadata = { title: "GPU pools" };

export default function GpuPoolsPage() {
  return <GpuPools />;
}
