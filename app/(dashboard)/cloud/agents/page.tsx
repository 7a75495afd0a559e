import type { Metadata } from "next";
import { surfaces } from "../../../../server/surfaces";
import { AgentsPage } from "./agents-page";

export const metadata: Metadata = { title: "Agents" };

export default function Page() {
  return <AgentsPage endpoint={`${surfaces().publicUrl}/v1/mcp`} />;
}
