import type { Mode } from "../../../operation/actor";

/** A channel of the offers product; svc's products do not know each other, so the composition root connects them. */
export interface OffersChannel {
  tenantId: string;
  mode: Mode;
  channelId: string;
}

/** An offer that was served for a prompt. */
export interface PromptOffer {
  id: string;
  /** As the model sees it. */
  title: string;
  clickUrl: string;
}

/** What the offers product does for prompts. */
export interface PromptOffers {
  /** Whether the channel exists in this tenant and mode. */
  hasChannel(channel: OffersChannel): boolean;
  /**
   * Serves offers for a query as the offers API would, with frequency caps and records, and returns them with the block
   * of text that presents them to a model. No offers: an empty block.
   */
  serve(
    ask: OffersChannel & { query: string; limit: number; userId?: string | undefined },
  ): Promise<{ offers: PromptOffer[]; block: string }>;
  /** Counts each offer as seen, once. */
  reportImpressions(channel: OffersChannel, ids: readonly string[]): Promise<void>;
}
