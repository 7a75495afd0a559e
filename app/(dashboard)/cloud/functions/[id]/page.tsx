import type { Metadata } from "next";
import { FunctionPage } from "./function-page";

export const metadata: Metadata = { title: "Function" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  return <FunctionPage id={(await params).id} />;
}
