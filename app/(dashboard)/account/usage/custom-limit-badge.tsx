import { Badge } from "../../../components/ui/badge";
import { formatCount } from "../../../format/numbers";
import { isCustom, type Quota } from "./quota";

/** Marks a limit that an operator has set for this tenant. */
export const CustomLimitBadge = ({ quota }: { quota: Quota }) =>
  isCustom(quota) && <Badge tone="accent">custom limit, default {formatCount(quota.default_limit)}</Badge>;
