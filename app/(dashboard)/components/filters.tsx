import { useEffect, useState } from "react";
import { SelectField, TextField } from "../../components/form/fields";
import { humanize } from "../account/audit-log/audit-text";
import { useUrlParams } from "./use-url-params";

export interface FilterChoice {
  value: string;
  label: string;
  /** What it is shown under. */
  group?: string;
}

/** What a list can be limited by. It is in the address, so that a filtered list can be shared. */
export interface Filter {
  /** Its parameter in the address. */
  name: string;
  label: string;
  /** The choice without a filter; default: "All". */
  all?: string;
  /** Absent for a text that is searched for. */
  choices?: readonly FilterChoice[];
  /** What values that are not among the choices look like, such as the ID of something that was archived. */
  others?: RegExp;
}

/** Any text, as `others`. */
export const ANY = /./;

/** Values of the API as choices: "in_flight" as "In flight". */
export const choicesOf = (values: readonly string[]): FilterChoice[] =>
  values.map((value) => ({ value, label: humanize(value) }));

/** Things as choices, by their names. */
export const namesOf = (things: readonly { id: string; name: string }[]): FilterChoice[] =>
  things.map(({ id, name }) => ({ value: id, label: name }));

export const statusFilter = (statuses: readonly string[]): Filter => ({
  name: "status",
  label: "Status",
  choices: choicesOf(statuses),
});

type Params = Pick<URLSearchParams, "get">;

/** The value that the address has for a filter; undefined for none, and for one that the filter does not have. */
export function chosenIn<V extends string>(params: Params, name: string, values: readonly V[]): V | undefined {
  const asked = params.get(name);
  return values.find((value) => value === asked);
}

/** The value of a filter in the address; undefined for all, and for one that the filter does not have. */
export function filterValue({ name, choices, others }: Filter, params: Params): string | undefined {
  const value = params.get(name) || undefined;
  if (value === undefined || !choices || others?.test(value)) return value;
  return choices.some((choice) => choice.value === value) ? value : undefined;
}

/** The filters of a list beside each other. */
export const Filters = ({ filters }: { filters: readonly Filter[] }) => (
  <div className="grid max-w-4xl grid-cols-[repeat(auto-fill,minmax(min(100%,12rem),1fr))] gap-3">
    {filters.map((filter) =>
      filter.choices ? (
        <FilterSelect key={filter.name} {...filter} choices={filter.choices} />
      ) : (
        <FilterSearch key={filter.name} {...filter} />
      ),
    )}
  </div>
);

function FilterSelect({ choices, ...filter }: Filter & { choices: readonly FilterChoice[] }) {
  const { params, change } = useUrlParams();
  const { name, label, all = "All" } = filter;
  const value = filterValue({ ...filter, choices }, params);
  const isListed = value === undefined || choices.some((choice) => choice.value === value);
  const groups = [...new Set(choices.map(({ group }) => group))];
  const optionsOf = (group: string | undefined) =>
    choices.filter((choice) => choice.group === group).map((choice) => <Option key={choice.value} {...choice} />);
  return (
    <SelectField
      name={name}
      label={label}
      value={value ?? ""}
      onChange={(event) => change({ [name]: event.target.value })}
    >
      <option value="">{all}</option>
      {groups.map((group) =>
        group === undefined ? (
          optionsOf(group)
        ) : (
          <optgroup key={group} label={group}>
            {optionsOf(group)}
          </optgroup>
        ),
      )}
      {!isListed && <option value={value}>{value}</option>}
    </SelectField>
  );
}

const Option = ({ value, label }: FilterChoice) => <option value={value}>{label}</option>;

const PAUSE_MS = 250;

/** Searches while somebody types. */
function FilterSearch({ name, label, all }: Filter) {
  const { params, change } = useUrlParams();
  const value = params.get(name) ?? "";
  const [text, setText] = useState(value);
  const [known, setKnown] = useState(value);
  // The filters were cleared, or the reader went back.
  if (known !== value) {
    setKnown(value);
    if (text.trim() !== value) setText(value);
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing restarts the pause.
  useEffect(() => {
    if (text.trim() === value) return undefined;
    const timer = setTimeout(() => change({ [name]: text.trim() }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <TextField
      name={name}
      label={label}
      placeholder={all}
      type="search"
      maxLength={100}
      value={text}
      onChange={(event) => setText(event.target.value)}
    />
  );
}
