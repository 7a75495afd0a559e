import { CheckboxField, TextField } from "../../../../components/form/fields";
import type { Bucket } from "../bucket";
import {
  daysField,
  fieldOf,
  keptField,
  keptOf,
  keptText,
  type LifecycleRule,
  lifecycleRulesIn,
  TRANSITION_TIERS,
} from "./read-rules";
import { RulesSection } from "./rules-section";

const DAYS_MAX = 36_500;
const BLANK: LifecycleRule = { id: "", prefix: "", enabled: true };
const DAYS = [
  { field: "expire_days", label: "Delete objects after", hint: "Days; empty: never." },
  { field: "expire_noncurrent_days", label: "Delete older versions after", hint: "Days; empty: never." },
  { field: "abort_upload_days", label: "Abort uploads after", hint: "Days; empty: one day." },
] as const;

/** What is deleted or moved by age. */
export const LifecycleRules = ({ bucket }: { bucket: Bucket }) => (
  <RulesSection
    bucket={bucket.id}
    title="Lifecycle"
    description="Deletes by age, or moves to a colder storage class, checked once an hour. Uploads that are not completed within a day are aborted without a rule."
    noun="lifecycle rule"
    saved={bucket.lifecycle_rules}
    blank={BLANK}
    read={(fields, count) => ({ lifecycle_rules: lifecycleRulesIn(fields, count) })}
  >
    {(rule, at) => <RuleFields rule={rule} at={at} />}
  </RulesSection>
);

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
    <input type="hidden" name={keptField(at)} value={JSON.stringify(keptOf(rule))} />
    {keptText(rule).length > 0 && (
      <p className="text-muted-foreground text-sm">Set with the API, and kept: {keptText(rule).join("; ")}.</p>
    )}
    <CheckboxField name={fieldOf("lifecycle_rules", at, "enabled")} label="Enabled" defaultChecked={rule.enabled} />
  </>
);
