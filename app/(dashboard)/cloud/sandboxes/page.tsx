import type { Metadata } from "next";
import { surfaces } from "../../../../server/surfaces";
import { SandboxList } from "./sandbox-list";

export const metadata: Metadata = { title: "Sandboxes" };

export default function SandboxesPage() {
  return <SandboxList allowsLoopback={surfaces().isLoopback} />;
}
