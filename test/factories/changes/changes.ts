import { ADS_CHANGES } from "./ads-changes";
import type { Change } from "./change";
import { CLOUD_CHANGES } from "./cloud-changes";
import { IDENTITY_CHANGES } from "./identity-changes";

/** Every operation that records something, except those that need a machine. */
export const CHANGES: readonly Change[] = [...ADS_CHANGES, ...CLOUD_CHANGES, ...IDENTITY_CHANGES];
