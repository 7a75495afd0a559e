import type { Counters } from "../../engines/counters/counters";
import { failOpen } from "../../engines/counters/fail-open";
import { USER_REQUESTS_MAX, USER_REQUESTS_WINDOW_MS } from "../limits";

/** True while the requests of a user (by its key) on this channel are within the rate limit, or it cannot be counted. */
export async function takeUserRequest(
  { counters, channel }: { counters: Counters; channel: { id: string } },
  user: string,
  requestId: string,
): Promise<boolean> {
  const reservation = counters.reserve({
    user,
    windows: [{ key: `requests:${channel.id}`, count: USER_REQUESTS_MAX, windowMs: USER_REQUESTS_WINDOW_MS }],
    candidates: [{ id: requestId, windows: [0] }],
    wanted: 1,
    holdMs: USER_REQUESTS_WINDOW_MS,
  });
  const reserved = await failOpen(reservation);
  return reserved === undefined || reserved.verdicts[0] === "reserved";
}
