"use client";

import type { FieldSchema, ObjectSchema } from "./field-schema";
import { SelectField, TextAreaField, TextField } from "./fields";

interface SchemaFieldsProps {
  schema: ObjectSchema;
  /** Before the name of each field, such as "spec.": the path at which the API reports its error. */
  prefix?: string;
  /** What the fields begin with, by property. */
  values?: Readonly<Record<string, unknown>>;
  /** Default: the names that programs use. */
  labelOf?: (name: string) => string;
}

/** A form's fields for the properties of an object, required ones first; `schemaFieldsIn` reads them. */
export function SchemaFields({ schema, prefix = "", values = {}, labelOf = (name) => name }: SchemaFieldsProps) {
  const { properties, required = [] } = schema;
  const isRequired = (name: string) => required.includes(name);
  const names = Object.keys(properties).sort((a, b) => Number(isRequired(b)) - Number(isRequired(a)));
  return names.map((name) => (
    <SchemaField
      key={name}
      name={`${prefix}${name}`}
      label={labelOf(name)}
      schema={properties[name] ?? {}}
      value={textOf(values[name])}
      isRequired={isRequired(name)}
    />
  ));
}

interface SchemaFieldProps {
  name: string;
  label: string;
  schema: FieldSchema;
  value: string;
  isRequired: boolean;
}

function SchemaField({ name, label, schema, value, isRequired }: SchemaFieldProps) {
  const field = { name, label, hint: hintOf(schema), ...(isRequired ? {} : { optional: true }) };
  const choices = schema.type === "boolean" ? [true, false] : schema.enum;
  const placeholder = placeholderOf(schema);
  if (choices) {
    return (
      <SelectField {...field} defaultValue={value}>
        <option value="">{isRequired ? "Choose" : placeholder ? `Default: ${placeholder}` : "Not sent"}</option>
        {choices.map((choice) => (
          <option key={String(choice)} value={String(choice)}>
            {String(choice)}
          </option>
        ))}
      </SelectField>
    );
  }
  const text = { ...field, placeholder, defaultValue: value, autoComplete: "off", spellCheck: false };
  if (schema.type === "string" && schema.contentMediaType === undefined) return <TextField {...text} />;
  if (schema.type === "integer" || schema.type === "number") return <TextField {...text} inputMode="decimal" />;
  return <TextAreaField {...text} rows={3} className="[&_textarea]:font-mono" />;
}

/** Descriptions are Markdown, in which code has backticks. */
const hintOf = ({ description }: FieldSchema) => description?.replaceAll(/`([^`]+)`/g, "“$1”");

/** The default as text, if it says something. */
function placeholderOf({ default: value }: FieldSchema): string | undefined {
  if (typeof value === "object" || value === undefined || value === "") return undefined;
  return String(value);
}

const textOf = (value: unknown): string => {
  if (value === undefined) return "";
  return typeof value === "object" ? JSON.stringify(value, null, 2) : String(value);
};
