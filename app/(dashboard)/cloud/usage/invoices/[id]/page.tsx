import type { Metadata } from "next";
import { InvoicePage } from "./invoice-page";

export const metadata: Metadata = { title: "Invoice" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <InvoicePage id={id} />;
}
