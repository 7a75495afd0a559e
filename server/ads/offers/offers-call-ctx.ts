import type { ClickCtx } from "../clicks/click-ctx";
import type { PixelCtx } from "../conversions/pixel-ctx";
import type { ImpressionCtx } from "../impressions/impression-ctx";
import type { SignalCtx } from "../signals/signal-ctx";
import type { OffersCtx } from "./offers-ctx";

/** What the operations of the offers API use. */
type OffersCallCtx = OffersCtx & SignalCtx & ClickCtx & ImpressionCtx & PixelCtx;

/** The part of it that is the same for every call. */
export type ServingParts = Omit<OffersCallCtx, "visitor" | "channel" | "reporter">;
