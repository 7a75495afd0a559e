import { CheckboxField, TextAreaField, TextField } from "../../../../components/form/fields";
import { useFieldFailure } from "../../../../components/form/form";
import type { Bucket } from "../bucket";
import { type CorsRule, corsRulesIn, fieldOf, METHODS } from "./read-rules";
import { RulesSection } from "./rules-section";

const MAX_AGE_MAX = 86_400;
const BLANK: CorsRule = {
  allowed_origins: [],
  allowed_methods: ["GET"],
  allowed_headers: [],
  expose_headers: ["ETag"],
  max_age_seconds: 3600,
};

/** Which other sites' pages may use the bucket in the browser. */
export const CorsRules = ({ bucket }: { bucket: Bucket }) => (
  <RulesSection
    bucket={bucket.id}
    title="CORS"
    description="Pages of other sites may read and store objects of this bucket in the browser only where a rule allows it; the first rule that matches applies."
    noun="CORS rule"
    saved={bucket.cors_rules}
    blank={BLANK}
    read={(fields, count) => ({ cors_rules: corsRulesIn(fields, count) })}
  >
    {(rule, at) => <RuleFields rule={rule} at={at} />}
  </RulesSection>
);

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
