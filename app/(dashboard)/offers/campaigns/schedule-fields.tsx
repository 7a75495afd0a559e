import { TextField } from "../../../components/form/fields";
import { browserTimezone, toDateTimeLocal } from "../../../format/dates";
import type { EditedCampaign } from "./campaign";

export const SCHEDULE_HELP = "Times are in your own time zone; the daily budget's day begins in the zone below.";

/** Start, end and the time zone of the daily budget. */
export const ScheduleFields = ({ campaign }: EditedCampaign) => (
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
      list="timezones"
    />
    <datalist id="timezones">
      {Intl.supportedValuesOf("timeZone").map((zone) => (
        <option key={zone} value={zone} />
      ))}
    </datalist>
  </div>
);
