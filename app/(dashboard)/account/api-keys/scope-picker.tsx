import { useState } from "react";
import { CheckboxField } from "../../../components/form/fields";
import { useFieldFailure } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { groupScopes, matchesPreset, presetsOf, type Scope, type ScopeGroup, type ScopeInfo } from "./scope-groups";

/** Checkboxes named `scopes`, one per scope; groups that no endpoint uses are collapsed. */
export function ScopePicker({ scopes }: { scopes: ScopeInfo[] }) {
  const failure = useFieldFailure("scopes");
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set());
  const toggle = (scope: Scope) =>
    setChosen((before) => new Set(before.has(scope) ? [...before].filter((one) => one !== scope) : [...before, scope]));
  return (
    <fieldset className="space-y-3">
      <legend className="mb-2 font-medium text-sm">
        Scopes <span className="font-normal text-muted-foreground">({chosen.size} selected)</span>
      </legend>
      <div className="flex flex-wrap gap-2">
        {presetsOf(scopes).map((preset) => (
          <Button
            key={preset.label}
            size="sm"
            variant={matchesPreset(chosen, preset) ? "primary" : "outline"}
            aria-pressed={matchesPreset(chosen, preset)}
            onClick={() => setChosen(new Set(preset.scopes))}
          >
            {preset.label}
          </Button>
        ))}
      </div>
      {groupScopes(scopes).map((group) => (
        <Group key={group.label} group={group} chosen={chosen} onToggle={toggle} />
      ))}
      {failure && (
        <p role="alert" data-invalid tabIndex={-1} className="text-destructive text-sm">
          {failure}
        </p>
      )}
    </fieldset>
  );
}

interface GroupProps {
  group: ScopeGroup;
  chosen: ReadonlySet<Scope>;
  onToggle: (scope: Scope) => void;
}

function Group({ group: { label, scopes }, chosen, onToggle }: GroupProps) {
  const isInUse = scopes.some(({ in_use }) => in_use);
  return (
    <details open={isInUse} className="rounded-lg border">
      <summary className="cursor-pointer rounded-lg px-3 py-2 font-medium text-sm hover:bg-muted/50">
        {label}
        {!isInUse && <span className="font-normal text-muted-foreground"> (no endpoint yet)</span>}
      </summary>
      <div className="grid gap-x-4 gap-y-3 border-t p-3 sm:grid-cols-2">
        {scopes.map(({ scope, description, in_use }) => (
          <CheckboxField
            key={scope}
            name="scopes"
            label={scope}
            value={scope}
            checked={chosen.has(scope)}
            onChange={() => onToggle(scope)}
            hint={`${description}.${isInUse && !in_use ? " No endpoint yet." : ""}`}
          />
        ))}
      </div>
    </details>
  );
}
