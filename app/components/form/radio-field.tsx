import { useId } from "react";
import { cn } from "../ui/cn";
import { useFieldFailure } from "./form";

export interface RadioChoice {
  value: string;
  label: string;
  /** What follows from the choice, in a sentence. */
  hint: string;
}

interface RadioFieldProps {
  name: string;
  label: string;
  hint?: string;
  choices: readonly RadioChoice[];
  defaultValue: string;
  className?: string;
}

/** One of a few choices, with the effect of each in view; the browser's own arrow keys move between them. */
export function RadioField({ name, label, hint, choices, defaultValue, className }: RadioFieldProps) {
  const id = useId();
  const failure = useFieldFailure(name);
  return (
    <fieldset className={cn("min-w-0 space-y-2", className)} {...(hint ? { "aria-describedby": `${id}-hint` } : {})}>
      <legend className={cn("font-medium text-sm", hint ? "mb-1" : "mb-2")}>{label}</legend>
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-5">
          {hint}
        </p>
      )}
      {choices.map((choice) => (
        <Choice key={choice.value} {...choice} name={name} defaultChecked={choice.value === defaultValue} />
      ))}
      {failure && (
        <p role="alert" data-invalid tabIndex={-1} className="text-destructive text-sm">
          {failure}
        </p>
      )}
    </fieldset>
  );
}

interface ChoiceProps extends RadioChoice {
  name: string;
  defaultChecked: boolean;
}

function Choice({ label, hint, ...input }: ChoiceProps) {
  const id = useId();
  return (
    <div className="flex items-start gap-2.5 rounded-lg border p-3 has-checked:border-primary has-checked:bg-accent/50">
      <input
        type="radio"
        id={id}
        aria-describedby={`${id}-hint`}
        className="mt-0.5 size-4 shrink-0 accent-primary"
        {...input}
      />
      <div className="text-sm">
        <label htmlFor={id} className="font-medium">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-5">
          {hint}
        </p>
      </div>
    </div>
  );
}
