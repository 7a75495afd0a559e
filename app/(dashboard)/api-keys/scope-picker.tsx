"use client";

import { useState } from "react";
import { CheckField } from "../../components/form/fields";
import { useFieldFailure } from "../../components/form/form";
import { Button } from "../../components/ui/button";
import { groupScopes, isSame, presetsOf, type Scope, type ScopeFacts, type ScopeGroup } from "./scope-groups";

/** Boxes named `scopes`, one for each scope; what no endpoint asks for yet is folded away. */
export function ScopePicker({ scopes }: { scopes: ScopeFacts[] }) {
  const failure = useFieldFailure("scopes");
  const [chosen, setChosen] = useState<ReadonlySet<Scope>>(new Set());
  const toggle = (scope: Scope) =>
    setChosen((before) => new Set(before.has(scope) ? [...before].filter((one) => one !== scope) : [...before, scope]));
  return (
    <fieldset className="space-y-3">
      <legend className="mb-2 font-medium text-sm">
        Scopes <span className="font-normal text-muted-foreground">({chosen.size} chosen)</span>
      </legend>
      <div className="flex flex-wrap gap-2">
        {presetsOf(scopes).map((preset) => (
          <Button
            key={preset.label}
            size="sm"
            variant={isSame(chosen, preset) ? "primary" : "outline"}
            aria-pressed={isSame(chosen, preset)}
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
          <CheckField
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
