import { RadioField } from "../../../components/form/radio-field";
import type { EditedCampaign } from "./campaign";

/** On whose channels a campaign serves, and what each choice needs. */
export const REACHES = [
  {
    value: "tenant",
    label: "Your own channels",
    hint: "Serves only on channels of this account; needs no review and no balance.",
  },
  {
    value: "network",
    label: "Channels of other publishers too",
    hint: "Needs an owner's verified email address, an approved advertiser and, in live mode, a prepaid balance of at least one bid. Publishers choose whose campaigns they accept.",
  },
] as const;

export const ReachField = ({ campaign }: EditedCampaign) => (
  <RadioField name="reach" label="Reach" choices={REACHES} defaultValue={campaign?.reach ?? "tenant"} />
);
