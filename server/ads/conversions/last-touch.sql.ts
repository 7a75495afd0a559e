import type { Pool } from "pg";
import { uuidv7Floor } from "../../kernel/ids";
import { DEFAULT_ATTRIBUTION } from "../campaigns/campaign";
import { OFFER_COUNTS_MS } from "../limits";
import type { UnattributedReason } from "./conversion";

const DAY_MS = 24 * 60 * 60 * 1000;
/** The longest attribution window of a campaign, plus the time between an offer and its click. */
const LOOK_BACK_MS = 90 * DAY_MS + OFFER_COUNTS_MS;

export interface TouchQuery {
  tenantId: string;
  mode: "test" | "live";
  /** "" searches all of the tenant's advertisers. */
  advertiserId: string;
  clickId: string;
  /** The pseudonym of a user of the tenant's own channels; "" if none was given. */
  userKey: string;
  at: Date;
}

/** The offer to which a conversion is attributed. */
export interface Touch {
  attribution: "click" | "view";
  offer_id: string;
  click_id: string;
  touched_at: Date;
  publisher_tenant_id: string;
  channel_id: string;
  advertiser_id: string;
  campaign_id: string;
  creative_id: string;
  product_id: string;
  placement: string;
  geo: string;
  device: string;
}

/**
 * Finds the last counted click of the click id or the user, else the user's last counted impression, each within its
 * campaign's window (inclusive). Other tenants' campaigns are never searched. Returns a reason if there is no touch.
 */
export async function lastTouch(sql: Pick<Pool, "query">, requested: TouchQuery): Promise<Touch | UnattributedReason> {
  const { rows } = await sql.query<Touch & { in_window: boolean }>({
    name: "last_touch",
    text: TOUCHES,
    values: [
      requested.tenantId,
      requested.mode,
      requested.clickId,
      requested.userKey,
      requested.at,
      uuidv7Floor(requested.at.getTime() - LOOK_BACK_MS),
      requested.advertiserId,
    ],
  });
  const touch = rows.find((row) => row.in_window);
  if (touch) return touch;
  if (rows.length > 0) return "outside_window";
  return requested.clickId === "" ? "no_touch" : "unknown_click";
}

const OFFER = `o.id::text AS offer_id, coalesce(o.click_id, '') AS click_id, o.tenant_id AS publisher_tenant_id, o.channel_id,
  o.advertiser_id, o.campaign_id, o.creative_id, o.product_id, o.placement, o.geo, o.device, c.attribution AS windows`;

const { click_days: CLICK_DAYS, view_days: VIEW_DAYS } = DEFAULT_ATTRIBUTION;

/**
 * Clicks before views, latest first. A click id is searched in all partitions, a user only within the longest window.
 */
const TOUCHES = `
  WITH clicked AS (
    SELECT 'click' AS attribution, o.clicked_at AS touched_at, ${OFFER}
    FROM offers o JOIN campaigns c ON c.id = o.campaign_id
    WHERE $3 <> '' AND o.click_id = $3 AND o.buyer_tenant_id = $1 AND o.mode = $2 AND ($7 = '' OR o.advertiser_id = $7)
    UNION
    SELECT 'click', o.clicked_at, ${OFFER}
    FROM offers o JOIN campaigns c ON c.id = o.campaign_id
    WHERE $4 <> '' AND o.user_key = $4 AND o.user_key <> '' AND o.id >= $6::uuid AND o.clicked_at IS NOT NULL
      AND o.buyer_tenant_id = $1 AND o.mode = $2 AND ($7 = '' OR o.advertiser_id = $7)
  ), seen AS (
    SELECT 'view' AS attribution, o.seen_at AS touched_at, ${OFFER}
    FROM offers o JOIN campaigns c ON c.id = o.campaign_id
    WHERE $4 <> '' AND o.user_key = $4 AND o.user_key <> '' AND o.id >= $6::uuid AND o.seen_at IS NOT NULL
      AND o.buyer_tenant_id = $1 AND o.mode = $2 AND ($7 = '' OR o.advertiser_id = $7)
  )
  SELECT t.*, $5::timestamptz - t.touched_at <= make_interval(days => days) AS in_window
  FROM (SELECT *, 1 AS place, coalesce((windows->>'click_days')::int, ${CLICK_DAYS}) AS days FROM clicked
        UNION ALL SELECT *, 2, coalesce((windows->>'view_days')::int, ${VIEW_DAYS}) FROM seen) t
  WHERE t.touched_at <= $5 AND t.days > 0
  ORDER BY in_window DESC, place, touched_at DESC, offer_id
  LIMIT 1`;
