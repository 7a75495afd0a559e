import type { Metadata } from "next";
import { WorkspacePage } from "./workspace-page";

export const metadata: Metadata = { title: "Workspace" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <WorkspacePage id={id} />;
}
