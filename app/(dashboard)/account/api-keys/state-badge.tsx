import { Badge } from "../../../components/ui/badge";
import { formatRelativeTime } from "../../../format/dates";
import { type ApiKey, stateOf } from "./api-key";

export function StateBadge({ apiKey }: { apiKey: ApiKey }) {
  const { expires_at } = apiKey;
  const state = stateOf(apiKey);
  if (state === "revoked") return <Badge tone="bad">revoked</Badge>;
  if (state === "expired") return <Badge tone="neutral">expired</Badge>;
  return expires_at ? (
    <Badge tone="warn">expires {formatRelativeTime(expires_at)}</Badge>
  ) : (
    <Badge tone="good">active</Badge>
  );
}
