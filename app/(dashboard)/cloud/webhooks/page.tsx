import type { Metadata } from "next";
import { surfaces } from "../../../../server/surfaces";
import { WebhookList } from "./webhook-list";

export const metadata: Metadata = { title: "Webhooks" };

export default function WebhooksPage() {
  return <WebhookList allowsLoopback={surfaces().isLoopback} />;
}
