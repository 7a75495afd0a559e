import type { Metadata } from "next";
import { EdgeFunctionPage } from "./edge-function-page";

export const metadata: Metadata = { title: "Edge function" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  return <EdgeFunctionPage id={(await params).id} />;
}
