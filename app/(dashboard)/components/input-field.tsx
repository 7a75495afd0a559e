"use client";

import type { ReactNode } from "react";
import { amountIn, unitsUpTo } from "../../components/form/durations";
import type { FieldSchema } from "../../components/form/field-schema";
import { CheckboxField, Field, MoneyField, SelectField, TextAreaField, TextField } from "../../components/form/fields";
import { type Control, controlOf, labelOf, textOf } from "../../components/form/input-fields";
import { Input, Select } from "../../components/ui/input";
import { useCurrency } from "../offers/components/use-currency";

/** What a page says of a field beyond its schema. */
export interface FieldOptions {
  /** Default: the title of the schema, else the name in words. */
  label?: string;
  /** Default: the description of the schema; null: none. */
  hint?: ReactNode;
  placeholder?: string;
  /** The texts of choices, by value: only these are offered. */
  choices?: Readonly<Record<string, string>>;
  /** What it begins with, instead of the default of the schema. */
  value?: unknown;
  /** Default: by the schema. */
  as?: Control;
  rows?: number;
  /** Two of them are beside each other. */
  isHalf?: boolean;
  onChange?: (value: string) => void;
  /** A field of its own; default: one by the schema. */
  render?: () => ReactNode;
  /** Reads it; undefined: it is not sent. May throw a FieldError. */
  read?: (fields: FormData) => unknown;
}

interface InputFieldProps {
  name: string;
  schema: FieldSchema;
  options: FieldOptions;
  isOptional: boolean;
}

/** The field of one property of an input. */
export function InputField({ name, schema, options, isOptional }: InputFieldProps) {
  const control = options.as ?? controlOf(name, schema);
  const value = options.value === undefined ? schema.default : options.value;
  const { hint = hintOf(schema), label = labelOf(name, schema), placeholder, rows = 3, onChange } = options;
  const own = { name, label, hint, className: options.isHalf ? "" : "sm:col-span-2" };
  if (control === "flag") return <CheckboxField {...own} defaultChecked={value === true} />;
  const common = { ...own, optional: isOptional, defaultValue: textOf(value, control) };
  const text = { ...common, placeholder, maxLength: schema.maxLength, autoComplete: "off" };
  switch (control) {
    case "choice": {
      const texts = options.choices ?? Object.fromEntries((schema.enum ?? []).map((one) => [String(one), String(one)]));
      return (
        <SelectField {...common} onChange={({ target }) => onChange?.(target.value)}>
          {isOptional && <option value="">Default</option>}
          {Object.entries(texts).map(([choice, shown]) => (
            <option key={choice} value={choice}>
              {shown}
            </option>
          ))}
        </SelectField>
      );
    }
    case "money":
      return <AmountField {...common} placeholder={placeholder} />;
    case "duration":
      return <DurationField {...common} max={schema.maximum} />;
    case "number":
      return (
        <TextField
          {...common}
          placeholder={placeholder}
          type="number"
          min={schema.minimum}
          max={schema.maximum}
          step={schema.type === "integer" ? 1 : "any"}
        />
      );
    case "lines":
    case "area":
      return <TextAreaField {...common} placeholder={placeholder} rows={rows} spellCheck={control === "area"} />;
    case "code":
      return <TextAreaField {...common} {...CODE} placeholder={placeholder} rows={rows} />;
    case "password":
      return <TextField {...text} type="password" autoComplete="new-password" />;
    default:
      return (
        <TextField
          {...text}
          type={schema.format === "uri" ? "url" : "text"}
          autoCapitalize={name === "image" ? "none" : undefined}
          spellCheck={false}
        />
      );
  }
}

const CODE = {
  spellCheck: false,
  autoComplete: "off",
  className: "sm:col-span-2 [&_textarea]:font-mono [&_textarea]:text-xs",
};

/** Descriptions are Markdown, in which code has backticks. */
const hintOf = ({ description }: FieldSchema) => description?.replaceAll(/`([^`]+)`/g, "“$1”");

const AmountField = (field: Omit<Parameters<typeof MoneyField>[0], "currency">) => (
  <MoneyField {...field} currency={useCurrency()} />
);

interface DurationFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
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
