import { TextField } from "../../../components/form/fields";
import type { EditedCampaign } from "./campaign";

/** How long a sale is attributed to a click or a view, in days. */
export const AttributionFields = ({ campaign }: EditedCampaign) => (
  <div className="grid gap-5 sm:grid-cols-2">
    <TextField
      name="attribution.click_days"
      label="Days after a click"
      type="number"
      min={1}
      max={90}
      defaultValue={campaign?.attribution.click_days ?? 30}
      hint="A sale this long after a click counts as a conversion."
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
);
