import { Section } from "../../../../components/ui/card";
import { AttributionFields } from "../attribution-fields";
import { BudgetFields, PacingField } from "../budget-fields";
import type { Campaign } from "../campaign";
import { CapFields } from "../cap-fields";
import { KEYWORDS_ABOUT, KeywordFields } from "../keyword-fields";
import { NameField } from "../name-field";
import { ReachField } from "../reach-field";
import { SCHEDULE_HELP, ScheduleFields } from "../schedule-fields";
import { AudienceFields, DeviceFields, PlacementField } from "../targeting-fields";

/** Every field of a campaign that can change after its creation; read them with `readCampaign`. */
export const SettingsFields = ({ campaign }: { campaign: Campaign }) => (
  <>
    <Section title="Name and budget" description="A budget is never overspent: later events are not charged.">
      <div className="space-y-5">
        <NameField campaign={campaign} />
        <div className="grid gap-5 sm:grid-cols-3">
          <BudgetFields campaign={campaign} />
          <PacingField campaign={campaign} />
        </div>
        <ReachField campaign={campaign} />
      </div>
    </Section>
    <Section title="Schedule" description={SCHEDULE_HELP}>
      <ScheduleFields campaign={campaign} />
    </Section>
    <Section title="Keywords" description={KEYWORDS_ABOUT}>
      <KeywordFields keywords={campaign.keywords} />
    </Section>
    <Section title="Targeting" description="Each list limits where the campaign serves. Empty means all.">
      <div className="space-y-5">
        <DeviceFields campaign={campaign} />
        <div className="grid gap-5 sm:grid-cols-2">
          <AudienceFields campaign={campaign} />
          <PlacementField campaign={campaign} />
        </div>
      </div>
    </Section>
    <Section
      title="Caps and attribution"
      description="How often one user sees it, and how long a sale is attributed to it."
    >
      <div className="space-y-6">
        <CapFields caps={campaign.caps} />
        <AttributionFields campaign={campaign} />
      </div>
    </Section>
  </>
);
