import type { Logger } from "pino";
import type { Network } from "../engines/guarded-fetch";
import type { StartedAlarms } from "../engines/start-alarms";
import type { Engines } from "../engines/start-engines";
import { PartList } from "../identity/part";
import type { Clock } from "../kernel/clock";
import { advertisersPart } from "./advertisers/advertisers.part";
import type { DomainSources } from "./advertisers/domain-sources";
import { attentionPart } from "./attention/attention.part";
import { balancesPart } from "./balances/balances.part";
import { budgetsPart } from "./budgets/budgets.part";
import type { CampaignCtx } from "./campaigns/campaign-ctx";
import { campaignsPart } from "./campaigns/campaigns.part";
import { capsPart } from "./caps/caps.part";
import { catalogPart } from "./catalog/catalog.part";
import { channelsPart } from "./channels/channels.part";
import { consentPart } from "./consent/consent.part";
import type { ConsentReader } from "./consent/consent-reader";
import { conversionsPart } from "./conversions/conversions.part";
import { creativesPart } from "./creatives/creatives.part";
import { demoPart } from "./demo/demo.part";
import { eventsPart } from "./events/events.part";
import type { AtStep } from "./events/steps";
import { explainPart } from "./explain/explain.part";
import { feedSchedulesPart } from "./feed-schedules/feed-schedules.part";
import type { FetchLimits } from "./feed-schedules/fetch-limits";
import { networkChannelsPart } from "./network-channels/network-channels.part";
import { offerRecordsPart } from "./offer-records/offer-records.part";
import { offersPart } from "./offers/offers.part";
import type { ServingParts } from "./offers/offers-call-ctx";
import { productsPart } from "./products/products.part";
import type { ReportCtx } from "./reports/report-ctx";
import { reportsPart } from "./reports/reports.part";
import { signalsPart } from "./signals/signals.part";
import { statementsPart } from "./statements/statements.part";
import { trafficPart } from "./traffic/traffic.part";
import { usersPart } from "./users/users.part";
import type { VectorsConfig } from "./vectors/start-vectors";
import { vectorsPart } from "./vectors/vectors.part";

export interface AdsConfig
  extends Pick<ServingParts, "currency" | "publicUrl" | "publisherShare" | "reserve">,
    Pick<CampaignCtx, "itemsMax">,
    Pick<ReportCtx, "retentionRawDays"> {
  dataDir: string;
  roles: ReadonlySet<string>;
  isLoopback: boolean;
  /** Memory limit of the item index. */
  catalogBytes: number;
  /** The semantic engine; undefined: offers are found by words only. */
  embeddings: VectorsConfig | undefined;
  tcfVendorId: ConstructorParameters<typeof ConsentReader>[0]["vendorId"];
}

/** What tests replace. */
export interface AdsReplacements {
  /**
   * The tenant whose network campaigns are house offers elsewhere; by default the tenant that is marked as the demo.
   */
  demoTenantId?: string | undefined;
  atStep?: AtStep | undefined;
  /** The compiled feed-worker.ts; by default the file next to the compiled server. */
  feedWorkerFile?: string | undefined;
  /** How advertisers' domains are verified; by default over the public network. */
  domainSources?: DomainSources | undefined;
  /** How feeds are fetched; by default over the public network. */
  feedNetwork?: Network | undefined;
  feedFetchLimits?: FetchLimits | undefined;
}

/** What only the start of a part uses. */
interface AdsProcess extends Pick<Engines, "secret" | "wal">, Omit<AdsReplacements, "demoTenantId"> {
  config: AdsConfig;
  leftWals: Engines["leftWals"] | undefined;
  alarms: Pick<StartedAlarms, "add" | "wake" | "announce">;
  log: Logger;
}

/** What the process gives to every part of the offers product and to its operations. */
interface AdsBase
  extends Pick<Engines, "db" | "sql" | "clickhouse" | "counters">,
    Pick<ServingParts, "currency" | "publicUrl" | "publisherShare" | "reserve" | "userKey" | "pixelKey">,
    Pick<CampaignCtx, "itemsMax" | "automaticReview">,
    Pick<ReportCtx, "retentionRawDays">,
    Pick<AdsReplacements, "demoTenantId"> {
  clock: Clock;
  /** Seals passwords that tenants store for servers of their own. */
  encryptionKey: Buffer;
  /** Seals cursors of lists. */
  cursorKey: Buffer;
}

/** The parts of the offers product, in the order in which they start. Their routes are those below `/v1/ads`. */
export const adsParts = new PartList<AdsProcess, AdsBase>()
  .with(vectorsPart)
  .with(networkChannelsPart)
  .with(catalogPart)
  .with(offerRecordsPart)
  .with(capsPart)
  .with(signalsPart)
  .with(consentPart)
  .with(trafficPart)
  .with(eventsPart)
  .with(offersPart)
  .with(channelsPart)
  .with(advertisersPart)
  .with(campaignsPart)
  .with(creativesPart)
  .with(productsPart)
  .with(feedSchedulesPart)
  .with(conversionsPart)
  .with(balancesPart)
  .with(reportsPart)
  .with(statementsPart)
  .with(explainPart)
  .with(usersPart)
  .with(attentionPart)
  .with(budgetsPart)
  .with(demoPart);

/** What the process and the parts give to operations. */
export type AdsParts = Awaited<ReturnType<(typeof adsParts)["start"]>>["ctx"];
