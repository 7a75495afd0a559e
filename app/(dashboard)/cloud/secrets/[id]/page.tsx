import type { Metadata } from "next";
import { SecretPage } from "./secret-page";

export const metadata: Metadata = { title: "Secret" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  return <SecretPage id={(await params).id} />;
}
