import { accountRows } from "./account-rows";
import { adsManagementRows } from "./ads-management.rows";
import { authRows } from "./auth-rows";
import type { CloudCtx } from "./cloud-ctx";
import type { AnyEndpoint } from "./endpoint";

/** Every endpoint of `/v1`. */
export const cloudRows: readonly AnyEndpoint<CloudCtx>[] = [...authRows, ...accountRows, ...adsManagementRows];
