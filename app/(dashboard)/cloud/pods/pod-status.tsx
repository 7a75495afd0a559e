import { Badge } from "../../../components/ui/badge";
import { type PodStatus, STATUS_TONES } from "./pod";

export const PodStatusBadge = ({ status }: { status: PodStatus }) => (
  <Badge tone={STATUS_TONES[status]}>{status}</Badge>
);
