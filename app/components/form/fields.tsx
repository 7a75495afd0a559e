"use client";

import { type ComponentProps, type ReactNode, useId } from "react";
import { cn } from "../ui/cn";
import { Checkbox, Input, Select, Textarea } from "../ui/input";
import { useFieldFailure } from "./form";

interface FieldLabels {
  name: string;
  label: string;
  hint?: ReactNode;
  /** Shown in the label; other fields are required. */
  optional?: boolean;
  /** An error that the page detects while people type; one of the server takes precedence. */
  problem?: string | undefined;
  className?: string;
}

interface ControlProps {
  id: string;
  name: string;
  "aria-invalid": boolean;
  "aria-describedby": string | undefined;
  "aria-required": boolean;
}

/** A label, a control, its hint and its error, associated for assistive technology. */
export function Field({
  name,
  label,
  hint,
  optional,
  problem,
  className,
  render,
}: FieldLabels & { render: (control: ControlProps) => ReactNode }) {
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

export const TextField = ({ name, label, hint, optional, problem, className, ...input }: FieldProps<"input">) => (
  <Field
    {...withoutUndefined({ name, label, hint, optional, className })}
    problem={problem}
    render={(control) => <Input {...input} {...control} />}
  />
);

/** Money as people type it: "1.25"; read it with `microsIn`. */
export const MoneyField = ({ currency, ...field }: FieldProps<"input"> & { currency: string }) => {
  const { name, label, hint, optional, className, ...input } = field;
  return (
    <Field
      {...withoutUndefined({ name, label, hint, optional, className })}
      render={(control) => (
        <div className="relative">
          <Input inputMode="decimal" autoComplete="off" placeholder="0.00" {...input} {...control} className="pr-14" />
          <span className="pointer-events-none absolute top-2 right-3 text-muted-foreground text-sm">{currency}</span>
        </div>
      )}
    />
  );
};

export const TextAreaField = ({ name, label, hint, optional, className, ...area }: FieldProps<"textarea">) => (
  <Field
    {...withoutUndefined({ name, label, hint, optional, className })}
    render={(control) => <Textarea {...area} {...control} />}
  />
);

export const SelectField = ({ name, label, hint, optional, className, children, ...select }: FieldProps<"select">) => (
  <Field
    {...withoutUndefined({ name, label, hint, optional, className })}
    render={(control) => (
      <Select {...select} {...control}>
        {children}
      </Select>
    )}
  />
);

/** A checkbox with its label; `value` distinguishes several checkboxes with the same name. */
export function CheckboxField({
  label,
  hint,
  className,
  ...input
}: Omit<ComponentProps<"input">, "className"> & FieldLabels) {
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

/** Omits undefined values: with `exactOptionalPropertyTypes` an optional property must be absent. */
function withoutUndefined({
  name,
  label,
  hint,
  optional,
  className,
}: {
  name: string;
  label: string;
  hint: ReactNode;
  optional: boolean | undefined;
  className: string | undefined;
}): FieldLabels {
  return {
    name,
    label,
    ...(hint ? { hint } : {}),
    ...(optional ? { optional } : {}),
    ...(className ? { className } : {}),
  };
}
