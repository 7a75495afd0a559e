import { Section } from "../../../../components/ui/card";
import { KEYWORDS_ABOUT, KeywordFields } from "../keyword-fields";
import { ReachField } from "../reach-field";
import { AudienceFields, DeviceFields, PlacementField } from "../targeting-fields";
import { MoreFields } from "./more-fields";

export const AudienceStep = () => (
  <>
    <Section title="Who sees it" description="Each list limits where the campaign serves. Empty means all.">
      <div className="space-y-5">
        <ReachField campaign={undefined} />
        <div className="grid gap-5 sm:grid-cols-2">
          <AudienceFields campaign={undefined} />
        </div>
      </div>
    </Section>
    <Section title="Keywords" description={KEYWORDS_ABOUT}>
      <KeywordFields keywords={[]} />
    </Section>
    <MoreFields about="devices, placements">
      <DeviceFields campaign={undefined} />
      <div className="grid gap-5 sm:grid-cols-2">
        <PlacementField campaign={undefined} />
      </div>
    </MoreFields>
  </>
);
