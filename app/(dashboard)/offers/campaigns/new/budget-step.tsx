import { SelectField } from "../../../../components/form/fields";
import { Section } from "../../../../components/ui/card";
import { AttributionFields } from "../attribution-fields";
import { BudgetFields, PacingField } from "../budget-fields";
import { CapFields } from "../cap-fields";
import { SCHEDULE_HELP, ScheduleFields } from "../schedule-fields";
import { MoreFields } from "./more-fields";

export const BudgetStep = () => (
  <>
    <Section title="Budget and bid" description="A budget is never overspent: later events are not charged.">
      <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">
        <SelectField name="model" label="Price model">
          <option value="cpc">cpc: pay for each click</option>
          <option value="cpm">cpm: pay for 1,000 views</option>
        </SelectField>
        <BudgetFields campaign={undefined} />
        <SelectField name="status" label="Begin as" hint="A draft serves nothing until it is started.">
          <option value="active">active</option>
          <option value="draft">draft</option>
        </SelectField>
      </div>
    </Section>
    <MoreFields about="pacing, schedule, frequency caps, attribution">
      <div className="grid gap-5 sm:grid-cols-2">
        <PacingField campaign={undefined} />
      </div>
      <div className="space-y-4">
        <p className="text-muted-foreground text-sm">{SCHEDULE_HELP}</p>
        <ScheduleFields campaign={undefined} />
      </div>
      <CapFields caps={[]} />
      <AttributionFields campaign={undefined} />
    </MoreFields>
  </>
);
