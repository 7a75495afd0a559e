import { extraTool, type Tool } from "../../operation/tool";
import { explainOffers } from "./explain-offers";

const notes = {
  placement: "",
  user_id: "A keyed hash, never personal data",
  locale: "",
  signals: "",
  "consent.tcf": "",
  "consent.gpp": "",
  consent: "Consent strings of the page",
  "consent.gpp_sid": "",
  gpc: "As if the browser sent `Sec-GPC: 1`",
  channel_id: "Default: any other publisher's channel without categories",
  campaign_id: "Only the outcomes of this campaign",
  seed: "The same seed gives the same result",
};

export const explainTools: readonly Tool[] = [
  extraTool("svc_ads_explain", explainOffers, { without: ["mode"], notes }),
];
