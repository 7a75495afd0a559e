"use client";

import type { ChangeEvent, ReactNode } from "react";
import { amountIn, unitsUpTo } from "../../components/form/durations";
import type { FieldSchema } from "../../components/form/field-schema";
import { CheckboxField, Field, MoneyField, SelectField, TextAreaField, TextField } from "../../components/form/fields";
import { type FieldOptions, type FormField, textOf } from "../../components/form/form-fields";
import { Input, Select } from "../../components/ui/input";
import { useCurrency } from "../offers/components/use-currency";
import { ProjectField } from "./project-field";

/** The control of one field of a form. */
export function InputField({ name, schema, options, control, label, value, isOptional }: FormField) {
  const { hint = hintOf(schema), placeholder, rows = 3, maxLength = schema.maxLength } = options;
  const own = { name, label, hint, className: options.isHalf ? "" : "sm:col-span-2" };
  if (control === "flag") return <CheckboxField {...own} defaultChecked={value === true} />;
  const common = { ...own, optional: isOptional, defaultValue: textOf(value, control) };
  const text = { ...common, placeholder, maxLength, autoComplete: "off" };
  switch (control) {
    case "choice":
      return (
        <SelectField
          {...common}
          onChange={({ target }) => options.onChange?.(target.value)}
          choices={Object.entries(options.choices ?? choicesOf(schema)).map(([choice, shown]) => ({
            value: choice,
            label: shown,
          }))}
        />
      );
    case "money":
      return <AmountField {...common} placeholder={placeholder} />;
    case "duration":
      return <DurationField {...common} max={schema.maximum} />;
    case "number":
      return <TextField {...common} {...rangeOf(schema)} placeholder={placeholder} type="number" />;
    case "lines":
    case "area":
      return <TextAreaField {...text} rows={rows} spellCheck={control === "area"} />;
    case "code":
      return <TextAreaField {...text} rows={rows} spellCheck={false} className={CODE} />;
    case "project":
      return <ProjectField {...projectProps(options)} className={own.className} />;
    case "day":
      return <TextField {...text} type="date" />;
    case "password":
      return <TextField {...text} type="password" autoComplete="new-password" />;
    case "identifier":
      return <TextField {...text} {...IDENTIFIER} type={schema.format === "uri" ? "url" : "text"} />;
    default:
      return <TextField {...text} />;
  }
}

/** Descriptions are Markdown, in which code has backticks, and have no full stop. */
const hintOf = ({ description }: FieldSchema) => description && `${description.replaceAll(/`([^`]+)`/g, "“$1”")}.`;

const choicesOf = (schema: FieldSchema) =>
  Object.fromEntries((schema.enum ?? []).map((choice) => [String(choice), String(choice)]));

/** A page that draws other fields by the chosen project keeps the choice itself. */
function projectProps({ hint, value, onChange }: FieldOptions) {
  const project = typeof value === "string" ? value : undefined;
  return onChange
    ? { hint, value: project, onChange: ({ target }: ChangeEvent<HTMLSelectElement>) => onChange(target.value) }
    : { hint, initial: project };
}

const rangeOf = ({ type, minimum, maximum }: FieldSchema) => ({
  min: minimum,
  max: maximum,
  step: type === "integer" ? 1 : "any",
});

const CODE = "sm:col-span-2 [&_textarea]:font-mono [&_textarea]:text-xs";
const IDENTIFIER = { spellCheck: false, autoCapitalize: "none" };

const AmountField = (field: Omit<Parameters<typeof MoneyField>[0], "currency">) => (
  <MoneyField {...field} currency={useCurrency()} />
);

interface DurationFieldProps {
  name: string;
  label: string;
  hint: ReactNode;
  optional: boolean;
  className: string;
  /** Seconds. */
  defaultValue: string;
  max: number | undefined;
}

/** A number of seconds as an amount and its unit; read it with `secondsIn`. */
function DurationField({ defaultValue, max, ...field }: DurationFieldProps) {
  const { amount, unit } = amountIn(Number(defaultValue));
  return (
    <Field
      {...field}
      render={(control) => (
        <div className="flex gap-2">
          <Input
            {...control}
            type="number"
            min={0}
            step="any"
            defaultValue={defaultValue && amount}
            className="flex-1"
          />
          <Select
            name={`${field.name}_unit`}
            aria-label={`Unit of ${field.label.toLowerCase()}`}
            defaultValue={unit}
            className="w-32"
          >
            {unitsUpTo(max).map((each) => (
              <option key={each}>{each}</option>
            ))}
          </Select>
        </div>
      )}
    />
  );
}
