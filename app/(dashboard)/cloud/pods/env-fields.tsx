import { Plus, Trash2 } from "lucide-react";
import { useId, useState } from "react";
import { useFieldFailure } from "../../../components/form/form";
import { Button } from "../../../components/ui/button";
import { Input, Select } from "../../../components/ui/input";
import { useKeyedRows } from "../components/use-keyed-rows";
import { useSecretNames } from "./use-secret-names";

/** Environment variables, each with a value or a secret of the project; read them with `envIn`. */
export function EnvFields({ project }: { project: string | undefined }) {
  const secrets = useSecretNames(project);
  const { rows, add, remove } = useKeyedRows([], undefined);
  const failure = useFieldFailure("env");
  const hint = useId();
  return (
    <fieldset className="min-w-0 space-y-3" aria-describedby={hint}>
      <legend className="mb-1 font-medium text-sm">
        Environment variables<span className="font-normal text-muted-foreground"> (optional)</span>
      </legend>
      <p id={hint} className="text-muted-foreground text-xs leading-5">
        Everyone who can read pods can read values. For passwords and tokens use a secret: only its name is kept here.
      </p>
      {rows.map(({ key }, at) => (
        <Variable key={key} number={at + 1} secrets={secrets} onRemove={() => remove(key)} />
      ))}
      {failure && (
        <p role="alert" data-invalid tabIndex={-1} className="text-destructive text-sm">
          {failure}
        </p>
      )}
      <Button variant="outline" size="sm" onClick={add} icon={Plus}>
        Add variable
      </Button>
    </fieldset>
  );
}

interface VariableProps {
  number: number;
  secrets: readonly string[];
  onRemove: () => void;
}

function Variable({ number, secrets, onRemove }: VariableProps) {
  const [kind, setKind] = useState("value");
  const label = (what: string) => `${what} of variable ${number}`;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_auto] gap-2 sm:grid-cols-[minmax(0,1fr)_7rem_minmax(0,1fr)_auto]">
      <Input
        name="env_name"
        aria-label={label("Name")}
        placeholder="NAME"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        className="font-mono"
      />
      <Button
        variant="ghost"
        size="icon"
        aria-label={`Remove variable ${number}`}
        onClick={onRemove}
        className="sm:order-last"
      >
        <Trash2 aria-hidden />
      </Button>
      <Select
        name="env_kind"
        aria-label={label("Kind")}
        value={kind}
        onChange={(event) => setKind(event.target.value)}
        className="col-span-2 sm:col-span-1"
      >
        <option value="value">Value</option>
        <option value="secret">Secret</option>
      </Select>
      <div className="col-span-2 sm:col-span-1">
        {kind === "value" ? (
          <Input
            name="env_value"
            aria-label={label("Value")}
            placeholder="value"
            autoComplete="off"
            spellCheck={false}
            className="font-mono"
          />
        ) : (
          <Select name="env_value" aria-label={label("Secret")} defaultValue="">
            <option value="">{secrets.length === 0 ? "No secrets" : "Choose a secret"}</option>
            {secrets.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </div>
    </div>
  );
}
