import { Badge } from "../../../components/ui/badge";
import { statusText, type Webhook } from "./webhook";

export function StatusBadge({ webhook }: { webhook: Webhook }) {
  const { tone, label } = statusText(webhook);
  return <Badge tone={tone}>{label}</Badge>;
}
