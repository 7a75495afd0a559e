import { PickerField } from "../../../components/form/picker-field";
import type { Mode } from "../../components/shell/mode";
import { useOwnChannels } from "./use-own-channels";

interface CategoryFieldProps {
  /** Of the campaign; undefined for a new one, which takes the dashboard's. */
  mode: Mode | undefined;
  chosen: readonly string[];
}

/** Categories of channels; suggests those of the tenant's own. */
export function CategoryField({ mode, chosen }: CategoryFieldProps) {
  const { data } = useOwnChannels(mode);
  const known = [...new Set(data?.data.flatMap(({ categories }) => categories))].sort();
  return (
    <PickerField
      name="targeting.categories"
      label="Categories"
      hint="What a channel is about; levels joined by >."
      choices={known.map((category) => ({ value: category, label: category }))}
      defaultValue={chosen}
      placeholder="Electronics > Audio"
      allowsOthers
    />
  );
}
