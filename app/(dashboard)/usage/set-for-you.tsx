import { Badge } from "../../components/ui/badge";
import { formatCount } from "../../format/numbers";
import { isLifted, type Quota } from "./quota";

/** Marks a limit that an operator set for this tenant alone. */
export const SetForYou = ({ quota }: { quota: Quota }) =>
  isLifted(quota) && <Badge tone="accent">set for you, usually {formatCount(quota.default_limit)}</Badge>;
