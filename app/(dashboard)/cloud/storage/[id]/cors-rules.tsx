"use client";

import { Plus } from "lucide-react";
import { CheckboxField, TextAreaField, TextField } from "../../../../components/form/fields";
import { Form, useFieldFailure } from "../../../../components/form/form";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import { useMutationOf } from "../../../../trpc/use-operation";
import { useKeyedRows } from "../../components/use-keyed-rows";
import type { Bucket } from "../bucket";
import { type CorsRule, corsRulesIn, fieldOf, METHODS } from "./read-rules";
import { RuleBox } from "./rule-box";

const MAX_AGE_MAX = 86_400;
const BLANK: CorsRule = {
  allowed_origins: [],
  allowed_methods: ["GET"],
  allowed_headers: [],
  expose_headers: ["ETag"],
  max_age_seconds: 3600,
};

/** Which other sites' pages may use the bucket in the browser. */
export function CorsRules({ bucket }: { bucket: Bucket }) {
  const update = useMutationOf("updateBucket", { meta: { inline: true, done: "CORS rules saved." } });
  const { rows: rules, add, remove } = useKeyedRows(bucket.cors_rules, BLANK);
  const submit = (fields: FormData) =>
    update.mutate({ bucket: bucket.id, cors_rules: corsRulesIn(fields, rules.length) });
  return (
    <Section
      title="CORS"
      description="Pages of other sites may read and store objects of this bucket in the browser only where a rule allows it; the first rule that matches applies."
    >
      <Form error={update.error} saving={update.status} onSubmit={submit}>
        {rules.map(({ key, row: rule }, at) => (
          <RuleBox key={key} label={`CORS rule ${at + 1}`} onRemove={() => remove(key)}>
            <RuleFields rule={rule} at={at} />
          </RuleBox>
        ))}
        <div className="flex flex-wrap gap-2">
          <Button variant="outline" onClick={add} icon={Plus}>
            Add CORS rule
          </Button>
          {rules.length + bucket.cors_rules.length > 0 && (
            <Button type="submit" pending={update.isPending}>
              Save CORS rules
            </Button>
          )}
        </div>
      </Form>
    </Section>
  );
}

const RuleFields = ({ rule, at }: { rule: CorsRule; at: number }) => (
  <>
    <TextAreaField
      name={fieldOf("cors_rules", at, "allowed_origins")}
      label="Origins"
      rows={2}
      defaultValue={rule.allowed_origins.join("\n")}
      placeholder="https://app.example"
      spellCheck={false}
      hint="One per line, such as https://app.example or https://*.app.example; * allows any site."
    />
    <Methods rule={rule} name={fieldOf("cors_rules", at, "allowed_methods")} />
    <div className="grid gap-4 sm:grid-cols-3">
      <TextField
        name={fieldOf("cors_rules", at, "allowed_headers")}
        label="Request headers"
        optional
        defaultValue={rule.allowed_headers.join(", ")}
        placeholder="content-type"
        spellCheck={false}
        hint="Between commas; * allows any."
      />
      <TextField
        name={fieldOf("cors_rules", at, "expose_headers")}
        label="Exposed headers"
        optional
        defaultValue={rule.expose_headers.join(", ")}
        spellCheck={false}
        hint="Between commas; scripts can read them."
      />
      <TextField
        name={fieldOf("cors_rules", at, "max_age_seconds")}
        label="Preflight cached"
        hint="Seconds, at most 86,400."
        type="number"
        min={0}
        max={MAX_AGE_MAX}
        defaultValue={rule.max_age_seconds}
      />
    </div>
  </>
);

function Methods({ rule, name }: { rule: CorsRule; name: string }) {
  const failure = useFieldFailure(name);
  return (
    <fieldset className="flex flex-wrap gap-x-5 gap-y-2">
      <legend className="mb-1.5 font-medium text-sm">Methods</legend>
      {METHODS.map((method) => (
        <CheckboxField
          key={method}
          name={name}
          label={method}
          value={method}
          defaultChecked={rule.allowed_methods.includes(method)}
        />
      ))}
      {failure && (
        <p role="alert" data-invalid tabIndex={-1} className="w-full text-destructive text-sm">
          {failure}
        </p>
      )}
    </fieldset>
  );
}
