import { useState } from "react";
import { Form } from "../../../../components/form/form";
import { SaveBar } from "../../../../components/form/save-bar";
import { useMutationOf } from "../../../../trpc/use-operation";
import type { Campaign } from "../campaign";
import { ConfirmBid } from "../confirm-bid";
import { campaignField, readCampaign } from "../read-campaign";
import { EndCampaign } from "./end-campaign";
import { SettingsFields } from "./settings-fields";

interface CampaignSettingsProps {
  campaign: Campaign;
  onChanged: (isChanged: boolean) => void;
}

/** Everything about a campaign that can change, and its end. */
export function CampaignSettings({ campaign, onChanged }: CampaignSettingsProps) {
  const [discards, setDiscards] = useState(0);
  return (
    <div className="space-y-6">
      <SettingsForm
        key={discards}
        campaign={campaign}
        onChanged={onChanged}
        onDiscard={() => setDiscards(discards + 1)}
        isRestored={discards > 0}
      />
      <EndCampaign campaign={campaign} />
    </div>
  );
}

interface SettingsFormProps extends CampaignSettingsProps {
  onDiscard: () => void;
  isRestored: boolean;
}

/** Keeps unsaved edits when the campaign changes in the background, for example when it is paused. */
function SettingsForm({ campaign, onChanged, onDiscard, isRestored }: SettingsFormProps) {
  const update = useMutationOf("updateCampaign", { meta: { inline: true, done: "Campaign saved." } });
  return (
    <Form
      error={update.error}
      saving={update.status}
      fieldOf={(param) => campaignField(param, update.variables?.keywords)}
      onSubmit={(fields) => update.mutate({ id: campaign.id, ...readCampaign(fields) })}
      className="space-y-6"
    >
      <SettingsFields campaign={campaign} />
      <ConfirmBid
        error={update.error}
        onConfirm={() => update.variables && update.mutate({ ...update.variables, confirm_high_bid: true })}
      />
      <SaveBar pending={update.isPending} onChanged={onChanged} onDiscard={onDiscard} isRestored={isRestored} />
    </Form>
  );
}
