"use client";

import { type UseMutationOptions, useMutation } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import type { ReactNode } from "react";
import type { InputSchema } from "../../components/form/field-schema";
import { Form } from "../../components/form/form";
import { FormButtons } from "../../components/form/form-buttons";
import { controlOf, inputIn, isPlain } from "../../components/form/input-fields";
import { textIn } from "../../components/form/read-fields";
import { Button } from "../../components/ui/button";
import { type Inputs, type Outputs, useTRPC } from "../../trpc/client";
import { type FieldOptions, InputField } from "./input-field";
import { ProjectField } from "./project-field";
import { useMode } from "./shell/mode";

type OperationId = keyof Inputs & keyof Outputs & string;
type InputOf<Id extends OperationId> = NonNullable<Inputs[Id]>;
type FieldOf<Id extends OperationId> = keyof InputOf<Id> & string;

export interface SchemaFormProps<Id extends OperationId> {
  /** Of the operation that the form calls, from `app/generated/inputs`. */
  input: InputSchema<Id>;
  /** In this order, before all others. */
  fields?: Partial<Record<FieldOf<Id>, FieldOptions>>;
  /** What the form does not ask. */
  without?: readonly FieldOf<Id>[];
  /** What exists already, for a form that changes it: every field is sent. */
  values?: Partial<Record<FieldOf<Id>, unknown>> | undefined;
  /** Sent with the fields, such as the id of what is changed. */
  fixed?: Partial<InputOf<Id>>;
  /** Sent with the fields, from fields that the input does not have. May throw a FieldError. */
  also?: (fields: FormData) => Partial<InputOf<Id>>;
  /** Of the button. */
  submit: string;
  /** The text of the toast. */
  done?: string;
  /** The page that opens then. */
  page?: (output: Outputs[Id]) => string;
  onDone?: (output: Outputs[Id]) => void;
  /** Absent: the form is a part of a page. */
  onCancel?: () => void;
  /** Asks before its input is lost; a form that changes something always does. */
  isWatched?: boolean;
}

/**
 * The form of an operation: its plain fields by their schemas, others as the page says. It sends the mode of the page and
 * the project that is chosen where there is a choice, and shows the server's errors beside their fields.
 */
export function SchemaForm<Id extends OperationId>(props: SchemaFormProps<Id>) {
  const { input, values, submit, onCancel } = props;
  const { mode } = useMode();
  const save = useSaving(props);
  const asked = askedFields(props);
  const send = (fields: FormData) =>
    save.mutate({
      ...(!values && "mode" in input.properties && { mode }),
      ...Object.fromEntries(
        [...asked.listed, ...asked.others].flatMap((one) => {
          const value = readField(fields, one);
          return value === undefined ? [] : [[one.name, value]];
        }),
      ),
      ...props.fixed,
      ...props.also?.(fields),
    });
  const isPending = save.isPending || (save.isSuccess && !values);
  const isWatched = props.isWatched ?? values !== undefined;
  return (
    <Form error={save.error} onSubmit={send} {...(isWatched ? { saving: save.status } : {})}>
      <div className="grid gap-5 sm:grid-cols-2 [&>*]:min-w-0">{asked.listed.map(shown)}</div>
      {asked.others.length > 0 && (
        <details className="rounded-lg border p-4">
          <summary className="cursor-pointer font-medium text-sm">More options</summary>
          <div className="mt-4 grid gap-5 sm:grid-cols-2 [&>*]:min-w-0">{asked.others.map(shown)}</div>
        </details>
      )}
      {onCancel ? (
        <FormButtons label={submit} pending={isPending} onCancel={onCancel} />
      ) : (
        <Button type="submit" pending={save.isPending}>
          {submit}
        </Button>
      )}
    </Form>
  );
}

interface Asked {
  name: string;
  schema: InputSchema["properties"][string];
  options: FieldOptions;
  isRequired: boolean;
  isChange: boolean;
}

/** The fields of a form: those that the page lists, and the others that need no special field. */
function askedFields<Id extends OperationId>(props: SchemaFormProps<Id>): { listed: Asked[]; others: Asked[] } {
  const { input, values, without = [], fixed = {} } = props;
  const options = (props.fields ?? {}) as Readonly<Record<string, FieldOptions>>;
  const current = values as Readonly<Record<string, unknown>> | undefined;
  const left = new Set<string>(["mode", ...without, ...Object.keys(fixed), ...Object.keys(options)]);
  const asked = (name: string): Asked => {
    const value = current?.[name];
    return {
      name,
      schema: input.properties[name] ?? {},
      options: value === undefined ? (options[name] ?? {}) : { ...options[name], value },
      isRequired: input.required?.includes(name) ?? false,
      isChange: values !== undefined,
    };
  };
  const own = Object.keys(options).filter((name) => name in input.properties);
  const others = Object.entries(input.properties).filter(([name, schema]) => isPlain(schema) && !left.has(name));
  return {
    listed: own.map(asked),
    others: others.map(([name]) => asked(name)).filter(({ name, isChange }) => !(isChange && name === "project")),
  };
}

/** Required ones stand in the form, all others wait to be opened. */
function shown({ name, schema, options, isRequired, isChange }: Asked): ReactNode {
  if (options.render) {
    return (
      <div key={name} className={options.isHalf ? "" : "sm:col-span-2"}>
        {options.render()}
      </div>
    );
  }
  if (name === "project") return <Project key={name} {...options} />;
  const isOptional = isChange
    ? schema.nullable === true || schema.type === "array"
    : !isRequired && (schema.default === undefined || schema.default === null || schema.default === "");
  return <InputField key={name} name={name} schema={schema} options={options} isOptional={isOptional} />;
}

const Project = ({ hint, value, onChange }: FieldOptions) => (
  <div className="empty:hidden sm:col-span-2">
    <ProjectField
      {...(typeof hint === "string" ? { hint } : {})}
      {...(typeof value === "string" ? { value } : {})}
      onChange={({ target }) => onChange?.(target.value)}
    />
  </div>
);

function readField(fields: FormData, { name, schema, options, isRequired, isChange }: Asked): unknown {
  if (options.read) return options.read(fields);
  if (name === "project") return textIn(fields, name) || undefined;
  const control = options.as ?? controlOf(name, schema);
  return inputIn(fields, { name, schema, control, isSent: isRequired || isChange });
}

function useSaving<Id extends OperationId>({ input, done, page, onDone }: SchemaFormProps<Id>) {
  const trpc = useTRPC();
  const router = useRouter();
  const procedure = trpc[input.operation] as unknown as {
    mutationOptions: (options: object) => UseMutationOptions<Outputs[Id], Error, object>;
  };
  return useMutation(
    procedure.mutationOptions({
      // The variables of a mutation are kept as long as it is, and may contain a secret.
      gcTime: 0,
      meta: { inline: true, ...(done !== undefined && { done }) },
      onSuccess: (output: Outputs[Id]) => {
        if (page) router.push(page(output));
        onDone?.(output);
      },
    }),
  );
}
