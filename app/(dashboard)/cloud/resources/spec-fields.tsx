"use client";

import { type MouseEvent, useState } from "react";
import type { ObjectSchema } from "../../../components/form/field-schema";
import { TextAreaField } from "../../../components/form/fields";
import { labelWithUnit } from "../../../components/form/labels";
import { SchemaFields } from "../../../components/form/schema-fields";
import { Button } from "../../../components/ui/button";
import { draftIn, SPEC_PREFIX, specIn } from "./read-spec";

interface SpecFieldsProps {
  /** undefined: only JSON can express it. */
  schema: ObjectSchema | undefined;
  isJson: boolean;
  onJson: (isJson: boolean) => void;
}

/** The spec of a kind as fields, or as JSON; what was entered stays when one takes the place of the other. */
export function SpecFields({ schema, isJson, onJson }: SpecFieldsProps) {
  const [values, setValues] = useState<Record<string, unknown>>({});
  if (!schema) return <JsonField value={values} />;
  const change = ({ currentTarget: { form } }: MouseEvent<HTMLButtonElement>) => {
    if (!form) return;
    const given = isJson ? parsedSpec(new FormData(form)) : draftIn(new FormData(form), schema);
    // The form says at the field what is wrong with its JSON.
    if (!given) return form.requestSubmit();
    setValues(given);
    onJson(!isJson);
  };
  return (
    <div className="space-y-4">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h3 className="font-medium text-sm">Spec</h3>
        <Button size="sm" variant="outline" aria-pressed={isJson} onClick={change}>
          {isJson ? "Use the form" : "Edit as JSON"}
        </Button>
      </div>
      {isJson && <JsonField value={values} />}
      {!isJson && Object.keys(schema.properties).length === 0 && (
        <p className="text-muted-foreground text-sm">There is nothing to choose.</p>
      )}
      {!isJson && <SchemaFields schema={schema} prefix={SPEC_PREFIX} values={values} labelOf={labelWithUnit} />}
    </div>
  );
}

/** undefined for JSON that cannot be read. */
function parsedSpec(fields: FormData): Record<string, unknown> | undefined {
  try {
    return specIn(fields, undefined);
  } catch {
    return undefined;
  }
}

export const JsonField = ({ value }: { value: unknown }) => (
  <TextAreaField
    name="spec"
    label="Spec as JSON"
    rows={14}
    defaultValue={JSON.stringify(value, null, 2)}
    spellCheck={false}
    autoComplete="off"
    className="[&_textarea]:font-mono [&_textarea]:text-xs"
  />
);
