import { nanosPerEvent, type PriceModel } from "../../kernel/money";
import type { Mode } from "../../operation/actor";

/**
 * Reasons why a network campaign does not serve on the channels of other tenants, in the order in which users should
 * fix them.
 */
export const NETWORK_BLOCKS = ["email_unverified", "advertiser_not_approved", "no_balance"] as const;
export type NetworkBlock = (typeof NETWORK_BLOCKS)[number];

/** Facts that decide whether a tenant's network campaigns may serve on channels of other tenants. */
export interface NetworkBuyer {
  id: string;
  /** True for the demo tenant: its offers are house offers, which nobody pays for. */
  isHouse: boolean;
  /** An owner of the tenant has verified their email address. */
  emailVerified: boolean;
  /** The remaining prepaid balance. */
  availableNanos: bigint;
}

export interface NetworkTerms {
  mode: Mode;
  model: PriceModel;
  bidMicros: bigint;
}

/** All reasons why a network campaign may not serve on channels of other tenants; empty if it may. */
export function networkBlocks(
  campaign: NetworkTerms,
  advertiser: { isApproved: boolean },
  buyer: NetworkBuyer,
): NetworkBlock[] {
  if (buyer.isHouse) return [];
  const holds: Record<NetworkBlock, boolean> = {
    email_unverified: !buyer.emailVerified,
    advertiser_not_approved: !advertiser.isApproved,
    no_balance: isUnfunded(campaign, buyer),
  };
  return NETWORK_BLOCKS.filter((block) => holds[block]);
}

/** Whether the balance is too low to pay for one event at the bid. Test events are free. */
export const isUnfunded = ({ mode, model, bidMicros }: NetworkTerms, { availableNanos }: NetworkBuyer): boolean =>
  mode === "live" && availableNanos < nanosPerEvent(model, bidMicros);
