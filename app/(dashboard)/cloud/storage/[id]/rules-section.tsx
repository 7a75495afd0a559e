import { Plus, Trash2 } from "lucide-react";
import type { ReactNode } from "react";
import { Form } from "../../../../components/form/form";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { type MutationInput, useMutationOf } from "../../../../trpc/use-operation";
import { useKeyedRows } from "../../components/use-keyed-rows";

interface RulesSectionProps<R> {
  bucket: string;
  title: string;
  description: string;
  /** What one is, such as "CORS rule". */
  noun: string;
  saved: readonly R[];
  /** What is added. */
  blank: R;
  /** The changes to the bucket. */
  read: (fields: FormData, count: number) => Omit<MutationInput<"updateBucket">, "bucket">;
  /** The fields of the rule at a position. */
  children: (rule: R, at: number) => ReactNode;
}

/** Rules of a bucket of one kind, which are saved together. */
export function RulesSection<R>(props: RulesSectionProps<R>) {
  const { bucket, title, description, noun, saved, blank, read, children } = props;
  const update = useMutationOf("updateBucket", { meta: { inline: true, done: `${title} rules saved.` } });
  const { rows: rules, add, remove } = useKeyedRows(saved, blank);
  const submit = (fields: FormData) => update.mutate({ bucket, ...read(fields, rules.length) });
  return (
    <Section title={title} description={description}>
      <Form sends={update} saving={update.status} onSubmit={submit}>
        {rules.map(({ key, row }, at) => (
          <RuleBox
            key={key}
            label={`${noun.charAt(0).toUpperCase()}${noun.slice(1)} ${at + 1}`}
            onRemove={() => remove(key)}
          >
            {children(row, at)}
          </RuleBox>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={add} icon={Plus}>
            Add {noun}
          </Button>
          {rules.length + saved.length > 0 && (
            <Button type="submit" pending={update.isPending}>
              Save {noun}s
            </Button>
          )}
        </div>
      </Form>
    </Section>
  );
}

interface RuleBoxProps {
  label: string;
  onRemove: () => void;
  children: ReactNode;
}

/** The fields of one of several rules, and a button that removes it. */
const RuleBox = ({ label, onRemove, children }: RuleBoxProps) => (
  <fieldset className="min-w-0 space-y-4 rounded-lg border p-4">
    <legend className="sr-only">{label}</legend>
    <div className="flex items-center justify-between gap-2">
      <span aria-hidden className="font-medium text-sm">
        {label}
      </span>
      <Button variant="ghost" size="icon" aria-label={`Remove ${label.toLowerCase()}`} onClick={onRemove}>
        <Trash2 aria-hidden />
      </Button>
    </div>
    {children}
  </fieldset>
);
