import type { CapCounts } from "../caps/cap-counts";
import type { ClickCtx } from "../clicks/click-ctx";

/** The reporter: the visitor's browser, or a publisher's server with its channel's server key. */
export interface ImpressionReporter {
  reportedBy: "browser" | "server";
  /** Set for a server key, which reports only offers of its own channel. */
  channelId?: string;
}

export interface ImpressionCtx extends ClickCtx {
  caps: CapCounts;
  /** The number of ids in impression reports that cannot be offer ids. */
  ignoredIds: { count: number };
  reporter: ImpressionReporter;
}
