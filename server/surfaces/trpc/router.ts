import { adsParts } from "../../ads/ads-parts";
import { orderRoutes } from "../../ads/conversions/conversions.routes";
import { importProducts } from "../../ads/products/import-products";
import { createChatCompletion } from "../../cloud/ai/gateway/create-chat-completion";
import { cloudParts } from "../../cloud/cloud-parts";
import { identityParts } from "../../identity/identity-parts";
import { feedInputOf } from "./feed-upload";
import { stream, upload } from "./procedures";
import { proceduresOf } from "./procedures-of";
import { createCallerFactory, router } from "./trpc";

/** Their bodies or results are no JSON. */
const streamed = {
  importProducts: upload(importProducts, feedInputOf),
  createChatCompletion: stream(createChatCompletion),
};

/**
 * The API of the dashboard: one procedure for each operation that a session may call, by its id. What a person may do is
 * decided by the pipeline, from the operation's `access`.
 */
export const appRouter = router({
  ...proceduresOf(identityParts.routes),
  ...proceduresOf(adsParts.routes),
  ...proceduresOf([orderRoutes] as const),
  ...proceduresOf(cloudParts.routes),
  ...streamed,
});

export type AppRouter = typeof appRouter;

export const createAppCaller = createCallerFactory(appRouter);

/** Every procedure as a function, for pages rendered on the server. */
export type AppCaller = ReturnType<typeof createAppCaller>;
