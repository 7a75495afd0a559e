import type { Metadata } from "next";
import { surfaces } from "../../../../server/surfaces";
import { PodList } from "./pod-list";

export const metadata: Metadata = { title: "Pods" };

export default function PodsPage() {
  const { podCatalog, isLoopback } = surfaces();
  return <PodList catalog={podCatalog} allowsLoopback={isLoopback} />;
}
