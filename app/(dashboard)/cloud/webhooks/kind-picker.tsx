import { useState } from "react";
import { CheckboxField } from "../../../components/form/fields";
import { useFieldFailure } from "../../../components/form/form";
import { Input } from "../../../components/ui/input";
import { ALL_KINDS, groupKinds, includes, type Kind, type KindGroup, matchingGroups, toggled } from "./kind-groups";

interface KindPickerProps {
  kinds: readonly Kind[];
  /** Kinds, prefixes or `*`. */
  defaultValue: readonly string[];
}

/** Checkboxes for kinds, for all kinds of a noun and for everything; the form's field `events` has the subscriptions. */
export function KindPicker({ kinds, defaultValue }: KindPickerProps) {
  const failure = useFieldFailure("events");
  const [chosen, setChosen] = useState<readonly string[]>(defaultValue);
  const [query, setQuery] = useState("");
  const groups = groupKinds(kinds);
  const found = matchingGroups(groups, query);
  const count = kinds.filter(({ type }) => chosen.some((pattern) => includes(pattern, type))).length;
  const toggle = (pattern: string) => setChosen((before) => toggled(before, pattern));
  const others = chosen.filter((pattern) => !isOffered(pattern, groups));
  return (
    <fieldset className="min-w-0 space-y-3">
      <legend className="mb-2 font-medium text-sm">
        Events{" "}
        <span className="font-normal text-muted-foreground">
          ({count} of {kinds.length} kinds)
        </span>
      </legend>
      {chosen.map((pattern) => (
        <input key={pattern} type="hidden" name="events" value={pattern} />
      ))}
      <Input
        type="search"
        aria-label="Search kinds of events"
        placeholder="Search kinds, such as campaign"
        value={query}
        onChange={(event) => setQuery(event.target.value)}
        onKeyDown={(event) => event.key === "Enter" && event.preventDefault()}
        autoComplete="off"
      />
      <div className="max-h-72 space-y-3 overflow-y-auto rounded-lg border p-3">
        <CheckboxField
          name="picked"
          label="All events (*)"
          checked={chosen.includes(ALL_KINDS)}
          onChange={() => toggle(ALL_KINDS)}
          hint="Also kinds that later versions of svc add."
        />
        {others.map((pattern) => (
          <CheckboxField key={pattern} name="picked" label={pattern} checked onChange={() => toggle(pattern)} />
        ))}
        {found.map((group) => (
          <Group key={group.noun} group={group} chosen={chosen} onToggle={toggle} />
        ))}
        <p role="status" className={found.length > 0 ? "sr-only" : "text-muted-foreground text-sm"}>
          {found.length > 0 ? `${found.flatMap((group) => group.kinds).length} kinds` : `No kind contains “${query}”.`}
        </p>
      </div>
      {failure && (
        <p role="alert" data-invalid tabIndex={-1} className="text-destructive text-sm">
          {failure}
        </p>
      )}
    </fieldset>
  );
}

const isOffered = (pattern: string, groups: readonly KindGroup[]): boolean =>
  pattern === ALL_KINDS ||
  groups.some(({ prefix, kinds }) => prefix === pattern || kinds.some(({ type }) => type === pattern));

interface GroupProps {
  group: KindGroup;
  chosen: readonly string[];
  onToggle: (pattern: string) => void;
}

function Group({ group: { noun, prefix, kinds }, chosen, onToggle }: GroupProps) {
  const coveredBy = (name: string) => chosen.find((pattern) => pattern !== name && includes(pattern, name));
  const box = (name: string, label: string, hint?: string) => (
    <CheckboxField
      key={name}
      name="picked"
      label={label}
      {...(hint ? { hint } : {})}
      checked={chosen.includes(name) || coveredBy(name) !== undefined}
      disabled={coveredBy(name) !== undefined}
      onChange={() => onToggle(name)}
    />
  );
  return (
    // biome-ignore lint/a11y/useSemanticElements: a group inside a fieldset that has the legend.
    <div role="group" aria-label={noun} className="space-y-2 border-t pt-3">
      {box(prefix, `All of ${noun} (${prefix})`)}
      <div className="space-y-2 pl-6">{kinds.map(({ type, description }) => box(type, type, description))}</div>
    </div>
  );
}
