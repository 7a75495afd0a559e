import type { Metadata } from "next";
import { surfaces } from "../../../../../server/surfaces";
import { WebhookPage } from "./webhook-page";

export const metadata: Metadata = { title: "Webhook" };

interface PageProps {
  params: Promise<{ id: string }>;
}

export default async function Page({ params }: PageProps) {
  const { id } = await params;
  return <WebhookPage id={id} allowsLoopback={surfaces().isLoopback} />;
}
