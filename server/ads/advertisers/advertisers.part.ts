import type { Part } from "../../identity/part";
import { advertiserEventKinds } from "./advertiser.events";
import { ADVERTISERS_QUOTA } from "./advertisers.quotas";
import { advertiserRoutes } from "./advertisers.routes";
import { advertiserTools } from "./advertisers.tools";
import { type DomainSources, publicDomainSources } from "./domain-sources";

interface Needs {
  /** How advertisers' domains are verified; by default over the public network. */
  domainSources?: DomainSources | undefined;
}

/** Companies and brands that run campaigns. */
export const advertisersPart: Part<Needs, { domainSources: DomainSources }, typeof advertiserRoutes> = {
  name: "advertisers",
  routes: [advertiserRoutes],
  tools: advertiserTools,
  eventKinds: advertiserEventKinds,
  quotas: [ADVERTISERS_QUOTA],
  start: ({ domainSources = publicDomainSources }) => ({ gives: { domainSources } }),
};
