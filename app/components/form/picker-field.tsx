import { X } from "lucide-react";
import { type ClipboardEvent, type FormEvent, type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { type Choice, entriesOf, findChoice } from "./choices";
import { Field } from "./fields";

interface PickerFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  /** What the list suggests. */
  choices: readonly Choice[];
  /** Values. */
  defaultValue: readonly string[];
  /** Whether an entry may be something else than a choice. */
  allowsOthers?: boolean;
  placeholder?: string;
}

type Picking = Required<Pick<PickerFieldProps, "choices" | "defaultValue" | "allowsOthers">>;

/** The picked values, the text that is being typed, and what typing, keys and pasting do to both. */
function usePicking({ choices, defaultValue, allowsOthers }: Picking) {
  const [picked, setPicked] = useState<readonly string[]>(defaultValue);
  const [text, setText] = useState("");
  /** Entries that cannot be picked stay in the field, where the form reports them. */
  const pick = (typed: string) => {
    const entries = entriesOf(typed).map((entry) => ({ entry, value: pickableOf(choices, entry, allowsOthers) }));
    const values = entries.flatMap(({ value }) => value ?? []);
    if (values.length > 0) setPicked([...new Set([...picked, ...values])]);
    setText(entries.flatMap(({ entry, value }) => (value === undefined ? entry : [])).join(", "));
  };
  const type = (event: FormEvent<HTMLInputElement>) => {
    const { value } = event.currentTarget;
    if (value.endsWith(",") || (isFromList(event) && findChoice(choices, value))) pick(value);
    else setText(value);
  };
  const press = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.key === "Enter") {
      event.preventDefault();
      pick(text);
    }
    if (event.key === "Backspace" && text === "") setPicked(picked.slice(0, -1));
  };
  const paste = (event: ClipboardEvent<HTMLInputElement>) => {
    const pasted = event.clipboardData.getData("text");
    if (entriesOf(pasted).length < 2) return;
    event.preventDefault();
    pick(`${text}${pasted}`);
  };
  const remove = (value: string) => setPicked(picked.filter((other) => other !== value));
  const blur = () => pick(text);
  return { picked, remove, input: { value: text, onInput: type, onKeyDown: press, onPaste: paste, onBlur: blur } };
}

/** Any number of entries from a list, picked by name; read them with `pickedIn` or `choicesPickedIn`. */
export function PickerField({ choices, defaultValue, allowsOthers = false, placeholder, ...labels }: PickerFieldProps) {
  const { picked, remove, input } = usePicking({ choices, defaultValue, allowsOthers });
  const listId = useId();
  return (
    <Field
      {...labels}
      optional
      render={(control) => (
        <div className="flex min-h-9 flex-wrap items-center gap-1.5 rounded-md border border-input bg-card px-2 py-1 shadow-xs focus-within:outline-2 focus-within:outline-ring focus-within:outline-offset-2 has-aria-invalid:border-destructive">
          {picked.length > 0 && (
            <ul aria-label={`Chosen ${labels.label.toLowerCase()}`} className="contents">
              {picked.map((value) => (
                <Entry
                  key={value}
                  name={labels.name}
                  value={value}
                  label={findChoice(choices, value)?.label ?? value}
                  onRemove={() => remove(value)}
                />
              ))}
            </ul>
          )}
          <input
            {...control}
            {...input}
            list={listId}
            placeholder={picked.length === 0 ? placeholder : undefined}
            autoComplete="off"
            className="h-6 min-w-28 flex-1 bg-transparent px-1 text-base outline-none placeholder:text-muted-foreground sm:text-sm"
          />
          <datalist id={listId}>
            {choices
              .filter(({ value }) => !picked.includes(value))
              .map(({ value, label }) => (
                <option key={value} value={label} />
              ))}
          </datalist>
        </div>
      )}
    />
  );
}

interface EntryProps {
  name: string;
  value: string;
  label: string;
  onRemove: () => void;
}

const Entry = ({ name, value, label, onRemove }: EntryProps) => (
  <li className="inline-flex max-w-full items-center gap-0.5 rounded-md border bg-accent py-0.5 pr-0.5 pl-2 text-accent-foreground text-sm">
    <span className="min-w-0 break-words">{label}</span>
    <button
      type="button"
      aria-label={`Remove ${label}`}
      onClick={onRemove}
      className="grid size-5 shrink-0 place-items-center rounded hover:bg-card"
    >
      <X aria-hidden className="size-3.5" />
    </button>
    <input type="hidden" name={name} value={value} />
  </li>
);

const pickableOf = (choices: readonly Choice[], entry: string, allowsOthers: boolean): string | undefined =>
  findChoice(choices, entry)?.value ?? (allowsOthers ? entry : undefined);

/** A choice from the suggestions arrives whole; a typed letter must not end the longer name that it begins. */
function isFromList({ nativeEvent }: FormEvent): boolean {
  const { inputType } = nativeEvent as Partial<InputEvent>;
  return inputType === undefined || inputType === "insertReplacementText";
}
