import type { Metadata } from "next";
import { SandboxPage } from "./sandbox-page";

export const metadata: Metadata = { title: "Sandbox" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <SandboxPage id={id} />;
}
