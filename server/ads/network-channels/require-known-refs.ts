import { ServiceError } from "../../kernel/errors";
import { firstDay } from "./list-network-channels";
import type { NetworkChannelCtx } from "./network-channel-ctx";
import { figuresByChannel } from "./network-channels.sql";

/** Far more channels than one tenant's campaigns reach in 30 days; the limit bounds what this query reads. */
const CHANNELS_READ_MAX = 10_000;

/**
 * Rejects references that the tenant has never received. Each must identify a channel where its campaigns appeared in
 * the last 30 days, or already be blocked by one of its advertisers. Throws `invalid_request`, or `unavailable` if a
 * new reference cannot be checked because ClickHouse is unavailable.
 */
export async function requireKnownRefs(
  {
    actor: { tenantId },
    channelRefs,
    clickhouse,
    clock,
    db,
  }: Pick<NetworkChannelCtx, "actor" | "channelRefs" | "clickhouse" | "clock" | "db">,
  refs: readonly string[],
): Promise<void> {
  const blockers = await db.advertiser.findMany({
    where: { tenantId, blockedChannels: { hasSome: [...refs] } },
    select: { blockedChannels: true },
  });
  const known = new Set(blockers.flatMap(({ blockedChannels }) => blockedChannels));
  let unknown = refs.filter((ref) => !known.has(ref));
  for (const mode of ["live", "test"] as const) {
    if (unknown.length === 0) return;
    const terms = { tenantId, mode, advertiserId: "", fromDay: firstDay({ clock }), limit: CHANNELS_READ_MAX };
    const seen = await figuresByChannel(clickhouse, terms);
    for (const { channelId } of seen) known.add(channelRefs.of(tenantId, channelId));
    unknown = unknown.filter((ref) => !known.has(ref));
  }
  const [first] = unknown;
  if (first === undefined) return;
  throw new ServiceError(
    "invalid_request",
    `blocked_channels: ${first} is not a known channel reference; use references from GET /v1/ads/network-channels.`,
    { param: "blocked_channels" },
  );
}
