import type { Metadata } from "next";
import { WorkspaceList } from "./workspace-list";

export const metadata: Metadata = { title: "Workspaces" };

export default function WorkspacesPage() {
  return <WorkspaceList />;
}
