import { ExplainOffers, explainOffers } from "../ads/explain/explain-offers";
import { router, scoped } from "./trpc";

export const explainRouter = router({
  /** A mutation only because a page's context is too long for an address: it changes nothing. */
  offers: scoped("ads:read")
    .input(ExplainOffers)
    .mutation(({ ctx, input }) => explainOffers(ctx.person, input)),
});
