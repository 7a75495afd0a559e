import type { Logger } from "pino";
import type { Part } from "../../../identity/part";
import type { PromptOffers } from "../ledger/prompt-offers";
import { createOfferStages } from "./create-offer-stages";

interface Needs {
  promptOffers: PromptOffers;
  log: Logger;
}

interface Gives {
  /** The stages of a chat request that add offers. */
  offerStages: ReturnType<typeof createOfferStages>;
}

export const chatOffersPart: Part<Needs, Gives> = {
  name: "chat offers",
  start: ({ promptOffers, log }) => ({ gives: { offerStages: createOfferStages({ promptOffers, log }) } }),
};
