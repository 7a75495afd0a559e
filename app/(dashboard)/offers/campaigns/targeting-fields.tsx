import { CheckboxField } from "../../../components/form/fields";
import { PickerField } from "../../../components/form/picker-field";
import { COUNTRIES, LANGUAGES } from "../../../format/places";
import { DEVICES } from "../components/devices";
import type { EditedCampaign } from "./campaign";
import { CategoryField } from "./category-field";
import { ChannelFields } from "./channel-fields";

/** Who sees the campaign, and on which channels. */
export const AudienceFields = ({ campaign }: EditedCampaign) => (
  <>
    <PickerField
      name="targeting.geos"
      label="Countries"
      hint="Choose by name or two-letter code."
      choices={COUNTRIES}
      defaultValue={campaign?.targeting.geos ?? []}
      placeholder="Germany"
    />
    <PickerField
      name="targeting.locales"
      label="Languages"
      hint="English also reaches en-US; type a tag such as fr-CA for a regional variant."
      choices={LANGUAGES}
      defaultValue={campaign?.targeting.locales ?? []}
      placeholder="German"
      allowsOthers
    />
    <CategoryField mode={campaign?.mode} chosen={campaign?.targeting.categories ?? []} />
    <ChannelFields mode={campaign?.mode} chosen={campaign?.targeting.channels ?? []} />
  </>
);

export const DeviceFields = ({ campaign }: EditedCampaign) => (
  <fieldset className="space-y-2">
    <legend className="font-medium text-sm">Devices</legend>
    <div className="flex flex-wrap gap-x-6 gap-y-2">
      {DEVICES.map((device) => (
        <CheckboxField
          key={device}
          name="targeting.devices"
          label={device}
          value={device}
          defaultChecked={campaign?.targeting.devices.includes(device) ?? false}
        />
      ))}
    </div>
  </fieldset>
);

/** What a request without a placement gets. */
const PLACEMENTS = [{ value: "sponsored_result", label: "sponsored_result" }];

export const PlacementField = ({ campaign }: EditedCampaign) => (
  <PickerField
    name="targeting.placements"
    label="Placements"
    hint="As the publisher names them."
    choices={PLACEMENTS}
    defaultValue={campaign?.targeting.placements ?? []}
    placeholder="sponsored_result"
    allowsOthers
  />
);
