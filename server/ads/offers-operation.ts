import { operationsOf } from "../operation/operation";
import type { ImpressionReporter, ServeCtx } from "./serve-ctx";
import type { ServingChannel } from "./serving/serving";

/** The context of an offers API operation; `channel` is undefined without a channel key. */
export type OffersCallCtx = ServeCtx & { channel: ServingChannel; reporter: ImpressionReporter };

/** Declares an operation of the offers API, which is called with a channel key or by anyone who has an offer's id. */
export const operation = operationsOf<OffersCallCtx>("offers");
