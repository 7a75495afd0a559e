"use client";

import { Plus } from "lucide-react";
import { CheckboxField, TextField } from "../../../../components/form/fields";
import { Form } from "../../../../components/form/form";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useKeyedRows } from "../../components/use-keyed-rows";
import type { Bucket } from "../bucket";
import { daysField, fieldOf, type LifecycleRule, lifecycleRulesIn, TRANSITION_TIERS } from "./read-rules";
import { RuleBox } from "./rule-box";

const DAYS_MAX = 36_500;
const BLANK: LifecycleRule = { id: "", prefix: "", enabled: true };
const DAYS = [
  { field: "expire_days", label: "Delete objects after", hint: "Days; empty: never." },
  { field: "expire_noncurrent_days", label: "Delete older versions after", hint: "Days; empty: never." },
  { field: "abort_upload_days", label: "Abort uploads after", hint: "Days; empty: one day." },
] as const;

/** What is deleted or moved by age. */
export function LifecycleRules({ bucket }: { bucket: Bucket }) {
  const update = useMutationOf("updateBucket", { meta: { inline: true, done: "Lifecycle rules saved." } });
  const { rows: rules, add, remove } = useKeyedRows(bucket.lifecycle_rules, BLANK);
  const submit = (fields: FormData) =>
    update.mutate({ bucket: bucket.id, lifecycle_rules: lifecycleRulesIn(fields, rules.length) });
  return (
    <Section
      title="Lifecycle"
      description="Deletes by age, or moves to a colder storage class, checked once an hour. Uploads that are not completed within a day are aborted without a rule."
    >
      <Form error={update.error} saving={update.status} onSubmit={submit}>
        {rules.map(({ key, row: rule }, at) => (
          <RuleBox key={key} label={`Rule ${at + 1}`} onRemove={() => remove(key)}>
            <RuleFields rule={rule} at={at} />
          </RuleBox>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={add} icon={Plus}>
            Add lifecycle rule
          </Button>
          {rules.length + bucket.lifecycle_rules.length > 0 && (
            <Button type="submit" pending={update.isPending}>
              Save lifecycle rules
            </Button>
          )}
        </div>
      </Form>
    </Section>
  );
}

const RuleFields = ({ rule, at }: { rule: LifecycleRule; at: number }) => (
  <>
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField
        name={fieldOf("lifecycle_rules", at, "id")}
        label="Name"
        optional
        defaultValue={rule.id}
        placeholder={`rule ${at + 1}`}
        maxLength={255}
      />
      <TextField
        name={fieldOf("lifecycle_rules", at, "prefix")}
        label="Prefix"
        optional
        defaultValue={rule.prefix}
        placeholder="logs/"
        spellCheck={false}
        hint="Only keys that begin with it; empty: all."
      />
    </div>
    <div className="grid gap-4 sm:grid-cols-3">
      {DAYS.map(({ field, label, hint }) => (
        <TextField
          key={field}
          name={fieldOf("lifecycle_rules", at, field)}
          label={label}
          optional
          hint={hint}
          type="number"
          min={1}
          max={DAYS_MAX}
          defaultValue={rule[field]}
        />
      ))}
    </div>
    <div className="grid gap-4 sm:grid-cols-3">
      {TRANSITION_TIERS.map((tier) => (
        <TextField
          key={tier}
          name={daysField(at, tier)}
          label={`Move to ${tier} after`}
          optional
          hint="Days; empty: never."
          type="number"
          min={1}
          max={DAYS_MAX}
          defaultValue={rule.transitions?.find((transition) => transition.tier === tier)?.days}
        />
      ))}
    </div>
    <CheckboxField name={fieldOf("lifecycle_rules", at, "enabled")} label="Enabled" defaultChecked={rule.enabled} />
  </>
);
