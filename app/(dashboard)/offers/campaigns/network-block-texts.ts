import type { Campaign } from "./campaign";

/** What keeps a campaign from channels of other publishers, with the fix. */
export const NETWORK_BLOCK_TEXTS: Readonly<Record<NonNullable<Campaign["network"]>["blocked_by"][number], string>> = {
  email_unverified:
    "An owner of this account must verify their email address: open the link in the verification email.",
  advertiser_not_approved:
    "Its advertiser must be approved: open it under Advertisers, verify its domain and request a review.",
  no_balance: "The prepaid balance is less than one bid: ask the operator for credit, or lower the bid.",
};
