import { SelectField } from "../../components/form/fields";
import { humanize } from "../account/audit-log/audit-text";

interface StatusFilterProps {
  statuses: readonly string[];
  status: string | undefined;
  /** Called with "" for all. */
  onChange: (status: string) => void;
}

/** Limits a list to one status. */
export const StatusFilter = ({ statuses, status, onChange }: StatusFilterProps) => (
  <SelectField
    name="status"
    label="Status"
    className="max-w-56"
    value={status ?? ""}
    onChange={(event) => onChange(event.target.value)}
  >
    <option value="">All</option>
    {statuses.map((one) => (
      <option key={one} value={one}>
        {humanize(one)}
      </option>
    ))}
  </SelectField>
);
