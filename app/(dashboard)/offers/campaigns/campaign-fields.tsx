"use client";

import { CheckboxField, MoneyField, SelectField, TextAreaField, TextField } from "../../../components/form/fields";
import { PickerField } from "../../../components/form/picker-field";
import { RadioField } from "../../../components/form/radio-field";
import { Section } from "../../../components/ui/card";
import { browserTimezone, toDateTimeLocal } from "../../../format/dates";
import { amountOf } from "../../../format/money";
import { COUNTRIES, LANGUAGES } from "../../../format/places";
import { DEVICES } from "../components/devices";
import { useCurrency } from "../components/use-currency";
import type { Campaign } from "./campaign";
import { MATCHES } from "./campaign-choices";
import { CapFields } from "./cap-fields";
import { CategoryField } from "./category-field";
import { ChannelFields } from "./channel-fields";
import { GroupError } from "./group-error";
import { KeywordHelp } from "./keyword-help";
import { KEYWORDS_AS_A_WHOLE } from "./read-campaign";

interface CampaignFieldsProps {
  /** The campaign being edited; undefined for a new one. */
  campaign: Campaign | undefined;
}

/** Every field of a campaign that can change after its creation; read them with `readCampaign`. */
export const CampaignFields = ({ campaign }: CampaignFieldsProps) => (
  <>
    <BudgetFields campaign={campaign} />
    <ScheduleFields campaign={campaign} />
    <KeywordFields keywords={campaign?.keywords ?? []} />
    <TargetingFields campaign={campaign} />
    <Section
      title="Caps and attribution"
      description="How often one user sees it, and how long a sale is attributed to it."
    >
      <div className="space-y-6">
        <CapFields caps={campaign?.caps ?? []} />
        <div className="grid gap-5 sm:grid-cols-2">
          <TextField
            name="attribution.click_days"
            label="Days after a click"
            type="number"
            min={1}
            max={90}
            defaultValue={campaign?.attribution.click_days ?? 30}
          />
          <TextField
            name="attribution.view_days"
            label="Days after a view"
            type="number"
            min={0}
            max={30}
            defaultValue={campaign?.attribution.view_days ?? 1}
            hint="0: views do not count."
          />
        </div>
      </div>
    </Section>
  </>
);

const REACHES = [
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
];

function BudgetFields({ campaign }: CampaignFieldsProps) {
  const currency = useCurrency(campaign?.currency);
  return (
    <Section title="Name and budget" description="A budget is never overspent: later events are not charged.">
      <div className="grid gap-5 sm:grid-cols-3">
        <TextField
          name="name"
          label="Name"
          defaultValue={campaign?.name}
          maxLength={200}
          autoComplete="off"
          className="sm:col-span-3"
        />
        <MoneyField
          name="bid_micros"
          label="Bid"
          currency={currency}
          defaultValue={campaign && amountOf(campaign.bid_micros)}
          hint="For a click (cpc) or 1,000 views (cpm)."
        />
        <MoneyField
          name="daily_budget_micros"
          label="Daily budget"
          optional
          currency={currency}
          defaultValue={budgetText(campaign?.daily_budget_micros)}
        />
        <MoneyField
          name="total_budget_micros"
          label="Total budget"
          optional
          currency={currency}
          defaultValue={budgetText(campaign?.total_budget_micros)}
        />
        <SelectField
          name="pacing"
          label="Pacing"
          defaultValue={campaign?.pacing ?? "even"}
          hint="Even spending follows the day's traffic; a total budget needs an end."
        >
          <option value="even">even over the day</option>
          <option value="asap">as soon as possible</option>
        </SelectField>
        <RadioField
          name="reach"
          label="Reach"
          choices={REACHES}
          defaultValue={campaign?.reach ?? "tenant"}
          className="sm:col-span-3"
        />
      </div>
    </Section>
  );
}

const ScheduleFields = ({ campaign }: CampaignFieldsProps) => (
  <Section
    title="Schedule"
    description="Times are in your own time zone; the daily budget's day begins in the zone below."
  >
    <div className="grid gap-5 sm:grid-cols-3">
      <TextField
        name="starts_at"
        label="Starts"
        optional
        type="datetime-local"
        defaultValue={toDateTimeLocal(campaign?.starts_at)}
      />
      <TextField
        name="ends_at"
        label="Ends"
        optional
        type="datetime-local"
        defaultValue={toDateTimeLocal(campaign?.ends_at)}
      />
      <TextField
        name="timezone"
        label="Time zone of the budget"
        defaultValue={campaign?.timezone ?? browserTimezone()}
        placeholder="Europe/Berlin"
        autoComplete="off"
        list="timezones"
      />
      <datalist id="timezones">
        {Intl.supportedValuesOf("timeZone").map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
    </div>
  </Section>
);

const KeywordFields = ({ keywords }: { keywords: Campaign["keywords"] }) => (
  <Section
    title="Keywords"
    description="Search terms that match this campaign, one per line. Without keywords, the texts of the creatives are matched."
  >
    <GroupError name={KEYWORDS_AS_A_WHOLE} />
    <KeywordHelp />
    <div className="grid gap-5 sm:grid-cols-2">
      {MATCHES.map(({ match, label, hint }) => (
        <TextAreaField
          key={match}
          name={`keywords.${match}`}
          label={label}
          optional
          hint={hint}
          defaultValue={keywords
            .filter((keyword) => keyword.match === match)
            .map(({ text }) => text)
            .join("\n")}
        />
      ))}
    </div>
  </Section>
);

/** What a request without a placement gets. */
const PLACEMENTS = [{ value: "sponsored_result", label: "sponsored_result" }];

const TargetingFields = ({ campaign }: CampaignFieldsProps) => (
  <Section title="Targeting" description="Each list limits where the campaign serves. Empty means all.">
    <div className="grid gap-5 sm:grid-cols-2">
      <fieldset className="space-y-2 sm:col-span-2">
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
      <PickerField
        name="targeting.placements"
        label="Placements"
        hint="As the publisher names them."
        choices={PLACEMENTS}
        defaultValue={campaign?.targeting.placements ?? []}
        placeholder="sponsored_result"
        allowsOthers
      />
      <ChannelFields mode={campaign?.mode} chosen={campaign?.targeting.channels ?? []} />
    </div>
  </Section>
);

const budgetText = (micros: number | null | undefined): string => (micros == null ? "" : amountOf(micros));
