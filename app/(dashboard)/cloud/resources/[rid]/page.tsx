import type { Metadata } from "next";
import { ResourcePage } from "./resource-page";

export const metadata: Metadata = { title: "Resource" };

interface PageProps {
  params: Promise<{ rid: string }>;
}

export default async function Page({ params }: PageProps) {
  const { rid } = await params;
  return <ResourcePage rid={rid} />;
}
