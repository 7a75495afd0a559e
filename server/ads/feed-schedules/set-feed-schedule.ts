import { z } from "zod";
import type { Prisma, FeedSchedule as Row } from "../../engines/postgres/generated/client";
import { recordAudit } from "../../identity/audit/record-audit";
import type { ActorCtx } from "../../identity/identity-ctx";
import { ServiceError } from "../../kernel/errors";
import { seal } from "../../kernel/secrets";
import { operation } from "../ads-operation";
import { campaignTarget, ownCampaign } from "../campaigns/campaign";
import { httpsUrl, id } from "../fields";
import { FeedSchedule, feedScheduleOf, hoursOf, interval, loggedUrl, passwordContext } from "./feed-schedule";
import { feedScheduleExample } from "./feed-schedule.example";
import { lockSchedule } from "./feed-schedule.sql";
import type { FeedScheduleCtx } from "./feed-schedule-ctx";
import { afterSuccess, earliestManualFetch } from "./fetch-times";

/** RFC 7617: no colon in the user name, no control characters in either. */
const USERNAME = /^[^\p{Cc}:]+$/u;
const PASSWORD = /^\P{Cc}+$/u;
/** Names of this machine and addresses in brackets or dotted decimals; names that resolve to them fail at the fetch. */
const NOT_A_PUBLIC_NAME = /^(\[.*\]|[\d.]+|localhost|.*\.localhost)$/;

const feedUrl = httpsUrl.refine(
  (url) => !URL.canParse(url) || !NOT_A_PUBLIC_NAME.test(new URL(url).hostname),
  "expected a public host name, not an address",
);

export const SetFeedSchedule = z.strictObject({
  id,
  url: feedUrl.describe("An https URL of a product feed; redirects to https URLs are followed"),
  interval: interval.default("24h").describe("The time between two fetches"),
  remove_missing: z
    .boolean()
    .default(true)
    .describe(
      "Archive the campaign's products that are no longer in the feed, also uploaded ones, after each feed that was read to its end",
    ),
  username: z
    .string()
    .max(200, "expected at most 200 characters")
    .regex(USERNAME, "expected at least one character, without colons and control characters")
    .nullable()
    .default(null)
    .describe("For HTTP basic authentication, which is sent only to the URL's own origin"),
  password: z
    .string()
    .max(500, "expected at most 500 characters")
    .regex(PASSWORD, "expected at least one character, without control characters")
    .optional()
    .describe("Stored encrypted. May be omitted if the origin of the URL and the user name stay the same"),
});

type Input = z.output<typeof SetFeedSchedule>;

/**
 * Sets the URL from which svc imports a campaign's feed, replacing the previous one, and resumes a paused schedule.
 * Unless only the interval changed, the feed is fetched at once, at the earliest a minute after the last fetch began; a
 * running fetch with the previous settings stops. Throws `not_found` for the campaign and `invalid_request` for
 * `password` if it is required.
 */
export const setFeedSchedule = operation({
  id: "setFeedSchedule",
  summary: "Set the URL that a campaign's product feed is fetched from",
  access: "ads:write",
  input: SetFeedSchedule,
  output: FeedSchedule,
  example: {
    input: { id: feedScheduleExample.campaign_id, url: feedScheduleExample.url, interval: "24h" },
    output: feedScheduleExample,
  },
  run: async (ctx: ActorCtx & Pick<FeedScheduleCtx, "encryptionKey">, input) => {
    const { db, actor, encryptionKey } = ctx;
    const campaign = await ownCampaign(ctx, input.id);
    const now = ctx.clock.now();
    return db.$transaction(async (tx) => {
      await lockSchedule(tx, campaign.id);
      const before = await tx.feedSchedule.findUnique({ where: { campaignId: campaign.id } });
      await ownCampaign({ db: tx, actor }, campaign.id);
      const fields = {
        url: input.url,
        intervalHours: hoursOf(input.interval),
        removeMissing: input.remove_missing,
        username: input.username,
        sealedPassword: sealedPassword(encryptionKey, input, before),
        pausedAt: null,
        failures: 0,
        updatedAt: now,
      };
      const row = before
        ? await tx.feedSchedule.update({
            where: { campaignId: campaign.id },
            data: { ...fields, ...fetchNeeded(before, input, now) },
          })
        : await tx.feedSchedule.create({
            data: { campaignId: campaign.id, createdAt: now, ...fields, nextFetchAt: now },
          });
      const { remove_missing, username } = input;
      const details = {
        url: loggedUrl(input.url),
        interval: input.interval,
        remove_missing,
        credentials: username !== null,
      };
      await recordAudit(tx, ctx, { action: "feed_schedule.set", targets: [campaignTarget(campaign)], details });
      return feedScheduleOf(row);
    });
  },
});

/** The columns of the next fetch; without its claim, a running fetch ends without a result. */
function fetchNeeded(before: Row, input: Input, now: Date): Prisma.FeedScheduleUpdateInput {
  const soon = earliestManualFetch(now, before.startedAt);
  const isSameFeed =
    before.url === input.url &&
    before.removeMissing === input.remove_missing &&
    before.username === input.username &&
    input.password === undefined;
  if (!isSameFeed || !before.startedAt || before.pausedAt) {
    return { nextFetchAt: soon, claim: null, etag: null, lastModified: null };
  }
  // A running fetch, and one that was requested or is a retry, stays due.
  if (before.claim !== null || before.failures > 0 || before.nextFetchAt <= soon) return {};
  const regular = afterSuccess(before.startedAt, hoursOf(input.interval));
  return { nextFetchAt: new Date(Math.max(regular.getTime(), soon.getTime())) };
}

function sealedPassword(key: Buffer, { id: campaignId, url, username, password }: Input, before: Row | null) {
  if (username === null) {
    if (password !== undefined) throw needs("username", "Enter the user name of this password.");
    return null;
  }
  if (password !== undefined) return seal(key, password, passwordContext(campaignId, url));
  const isKept = before?.username === username && new URL(before.url).origin === new URL(url).origin;
  if (isKept && before.sealedPassword !== null) return before.sealedPassword;
  throw needs("password", "Enter the password: it is required for a new user name and for a URL on another origin.");
}

const needs = (param: string, sentence: string) => new ServiceError("invalid_request", sentence, { param });
