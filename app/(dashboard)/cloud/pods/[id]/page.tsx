import type { Metadata } from "next";
import { PodPage } from "./pod-page";

export const metadata: Metadata = { title: "Pod" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <PodPage id={id} />;
}
