"use client";

import { useRouter } from "next/navigation";
import type { InputSchema } from "../../components/form/field-schema";
import { Form } from "../../components/form/form";
import { type FieldOptions, type FormField, formFields, inputIn } from "../../components/form/form-fields";
import { cn } from "../../components/ui/cn";
import type { Outputs } from "../../trpc/client";
import { type MutationId, type MutationInput, useMutationOf } from "../../trpc/use-operation";
import { InputField } from "./input-field";
import { useMode } from "./shell/mode";

type InputOf<Id extends MutationId> = NonNullable<MutationInput<Id>>;

export interface SchemaFormProps<Id extends MutationId> {
  /** Of the operation that the form calls, from `app/generated/inputs`. */
  input: InputSchema<Id>;
  /** The fields of the form, in this order; what their schemas say is left out. */
  fields: { [Name in keyof InputOf<Id>]?: FieldOptions<InputOf<Id>[Name]> };
  /** What exists already, for a form that changes it: every field is sent. */
  values?: { [Name in keyof InputOf<Id>]?: unknown };
  /** Sent with the fields, such as the id of what is changed. */
  fixed?: Partial<InputOf<Id>>;
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
 * The form of an operation: its fields by their schemas and what the page says of them. It sends the mode of the page,
 * and shows the server's errors beside their fields.
 */
export function SchemaForm<Id extends MutationId>(props: SchemaFormProps<Id>) {
  const { input, values, submit, onCancel, isWatched = values !== undefined } = props;
  const { mode } = useMode();
  const save = useSaving(props);
  const fields = formFields({ ...props, fields: props.fields as Readonly<Record<string, FieldOptions>> });
  const sendsMode = values === undefined && "mode" in input.properties;
  // The fields are read by the schema of the operation, which TypeScript cannot know.
  const send = (form: FormData) =>
    save.mutate({ ...(sendsMode && { mode }), ...inputIn(form, fields), ...props.fixed } as InputOf<Id>);
  // The page that opens, or the end of the dialog, is yet to come.
  const isPending = save.isPending || (save.isSuccess && onCancel !== undefined);
  return (
    <Form
      sends={{ error: save.error, isPending }}
      onSubmit={send}
      label={submit}
      onCancel={onCancel}
      saving={isWatched ? save.status : undefined}
    >
      <div className="grid gap-5 sm:grid-cols-2 [&>*]:min-w-0">{fields.map(shown)}</div>
    </Form>
  );
}

function shown(field: FormField) {
  const { name, options } = field;
  // Another value to begin with, such as the code of another language, begins the field again.
  if (!options.render) return <InputField key={options.onChange ? name : `${name} ${options.value}`} {...field} />;
  return (
    <div key={name} className={cn("empty:hidden", !options.isHalf && "sm:col-span-2")}>
      {options.render()}
    </div>
  );
}

function useSaving<Id extends MutationId>({ input, done, page, onDone }: SchemaFormProps<Id>) {
  const router = useRouter();
  return useMutationOf(input.operation, {
    // The variables of a mutation are kept as long as it is, and may contain a secret.
    gcTime: 0,
    meta: { inline: true, ...(done !== undefined && { done }) },
    onSuccess: (output) => {
      if (page) router.push(page(output));
      onDone?.(output);
    },
  });
}
