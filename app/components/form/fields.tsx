import { type ChangeEvent, type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../ui/cn";
import { Checkbox, Input, Select, Textarea } from "../ui/input";
import { useFieldFailure } from "./form";

interface FieldLabels {
  name: string;
  label: string;
  hint?: ReactNode;
  /** Shown in the label; other fields are required. */
  optional?: boolean | undefined;
  /** An error that the page detects while people type; one of the server takes precedence. */
  problem?: string | undefined;
  className?: string | undefined;
}

interface ControlProps {
  id: string;
  name: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
  "aria-required": boolean;
}

/** A label, a control, its hint and its error, associated for assistive technology. */
export function Field(props: FieldLabels & { render: (control: ControlProps) => ReactNode }) {
  const { name, label, hint, optional, problem, className, render } = props;
  const id = useId();
  const failure = useFieldFailure(name) ?? problem;
  const described = [hint && `${id}-hint`, failure && `${id}-failure`].filter(Boolean).join(" ");
  return (
    <div className={cn("flex flex-col gap-1.5", className)}>
      <label htmlFor={id} className="block font-medium text-sm">
        {label}
        {optional && <span className="font-normal text-muted-foreground"> (optional)</span>}
      </label>
      {render({
        id,
        name,
        "aria-invalid": failure !== undefined,
        "aria-describedby": described || undefined,
        "aria-required": !optional,
      })}
      {hint && (
        <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-5">
          {hint}
        </p>
      )}
      <p id={`${id}-failure`} aria-live="polite" className={cn("text-destructive text-sm", !failure && "sr-only")}>
        {failure}
      </p>
    </div>
  );
}

type FieldProps<T extends "input" | "textarea" | "select"> = FieldLabels & Omit<ComponentProps<T>, keyof FieldLabels>;

/** The properties of a field, and those of its control. */
const split = <P extends FieldLabels>({ name, label, hint, optional, problem, className, ...control }: P) => ({
  labels: { name, label, hint, optional, problem, className },
  control,
});

/** One line; browsers suggest what was typed before only where `autoComplete` names what it is. */
export function TextField(props: FieldProps<"input">) {
  const { labels, control } = split(props);
  return <Field {...labels} render={(field) => <Input autoComplete="off" {...control} {...field} />} />;
}

/** Money as people type it: "1.25"; read it with `microsIn`. */
export function MoneyField({ currency, ...props }: FieldProps<"input"> & { currency: string }) {
  const { labels, control } = split(props);
  return (
    <Field
      {...labels}
      render={(field) => (
        <div className="relative">
          <Input inputMode="decimal" autoComplete="off" placeholder="0.00" {...control} {...field} className="pr-14" />
          <span className="pointer-events-none absolute top-2 right-3 text-muted-foreground text-sm">{currency}</span>
        </div>
      )}
    />
  );
}

export function TextAreaField(props: FieldProps<"textarea">) {
  const { labels, control } = split(props);
  return <Field {...labels} render={(field) => <Textarea {...control} {...field} />} />;
}

/** What a list offers: a value that is its own text, a value with its text, or a thing by its ID. */
type SelectChoice = string | { value: string | number; label: string } | { id: string; name: string };

interface SelectFieldProps extends FieldProps<"select"> {
  /** After the options that are children. */
  choices?: readonly SelectChoice[];
  onChoose?: (value: string) => void;
}

export function SelectField({ choices = [], onChoose, children, ...props }: SelectFieldProps) {
  const { labels, control } = split(props);
  const choose = onChoose && ((event: ChangeEvent<HTMLSelectElement>) => onChoose(event.target.value));
  return (
    <Field
      {...labels}
      render={(field) => (
        <Select onChange={choose} {...control} {...field}>
          {children}
          {choices.map((choice) => {
            const [value, text] = optionOf(choice);
            return (
              <option key={value} value={value}>
                {text}
              </option>
            );
          })}
        </Select>
      )}
    />
  );
}

function optionOf(choice: SelectChoice): [value: string | number, text: string] {
  if (typeof choice === "string") return [choice, choice];
  return "id" in choice ? [choice.id, choice.name] : [choice.value, choice.label];
}

/** A checkbox with its label; `value` distinguishes several checkboxes with the same name. */
export function CheckboxField({ label, hint, className, ...input }: FieldProps<"input">) {
  const id = useId();
  return (
    <div className={cn("flex items-start gap-2.5", className)}>
      <Checkbox id={id} className="mt-0.5" {...(hint ? { "aria-describedby": `${id}-hint` } : {})} {...input} />
      <div className="text-sm">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-muted-foreground text-xs leading-5">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
