import type { AdsCtx } from "../ads/ads-ctx";
import type { AccountCtx } from "../identity/identity-ctx";
import type { TenantCache } from "../identity/tenants/tenant-cache";

/** What the verbs behind `/v1` get: each takes its part of it. Rows that are `public` have no `actor`. */
export interface CloudCtx extends AdsCtx, AccountCtx {
  tenants: Pick<TenantCache, "find">;
}
