import type { Outputs } from "../../../trpc/client";

export type Campaign = Outputs["listCampaigns"]["data"][number];

export interface EditedCampaign {
  /** The campaign whose fields are edited; undefined for a new one. */
  campaign: Campaign | undefined;
}
