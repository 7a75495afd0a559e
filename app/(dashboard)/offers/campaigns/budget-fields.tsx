import { MoneyField, SelectField } from "../../../components/form/fields";
import { amountOf } from "../../../format/money";
import { useCurrency } from "../components/use-currency";
import type { EditedCampaign } from "./campaign";

/** Bid and budgets. */
export function BudgetFields({ campaign }: EditedCampaign) {
  const currency = useCurrency(campaign?.currency);
  return (
    <>
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
    </>
  );
}

const budgetText = (micros: number | null | undefined): string => (micros == null ? "" : amountOf(micros));

export const PacingField = ({ campaign }: EditedCampaign) => (
  <SelectField
    name="pacing"
    label="Pacing"
    defaultValue={campaign?.pacing ?? "even"}
    hint="Even spending follows the day's traffic; a total budget needs an end."
  >
    <option value="even">even over the day</option>
    <option value="asap">as soon as possible</option>
  </SelectField>
);
