import { Badge } from "../../../components/ui/badge";
import type { Invoice } from "./wire";

const TONES = { draft: "neutral", open: "accent", paid: "good", void: "neutral", uncollectible: "bad" } as const;

export const InvoiceStatus = ({ invoice: { status, simulated } }: { invoice: Invoice }) => (
  <span className="inline-flex flex-wrap gap-1.5">
    <Badge tone={TONES[status]}>{status}</Badge>
    {simulated && <Badge tone="warn">simulated</Badge>}
  </span>
);
