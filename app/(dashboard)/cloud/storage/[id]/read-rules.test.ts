import { expect, it } from "vitest";
import { FieldError } from "../../../../trpc/failure";
import { corsRulesIn, keptOf, keptText, lifecycleRulesIn } from "./read-rules";

function fieldsOf(rules: string, values: Record<string, string | string[]>): FormData {
  const fields = new FormData();
  for (const [name, value] of Object.entries(values)) {
    for (const each of [value].flat()) fields.append(`${rules}[0].${name}`, each);
  }
  return fields;
}

it("reads the days that are filled in, and names a rule by its number", () => {
  const fields = fieldsOf("lifecycle_rules", { id: "", prefix: " logs/ ", expire_days: "30", enabled: "on" });
  expect(lifecycleRulesIn(fields, 1)).toEqual([{ id: "rule 1", prefix: "logs/", expire_days: 30, enabled: true }]);
});

it("reads transitions downwards, and refuses a colder class that comes sooner", () => {
  const fields = fieldsOf("lifecycle_rules", { id: "a", "transitions.archive": "90", "transitions.warm": "30" });
  expect(lifecycleRulesIn(fields, 1)[0]?.transitions).toEqual([
    { days: 30, tier: "warm" },
    { days: 90, tier: "archive" },
  ]);
  fields.set("lifecycle_rules[0].transitions.cold", "30");
  expect(() => lifecycleRulesIn(fields, 1)).toThrow(FieldError);
});

it("refuses a lifecycle rule without days", () => {
  expect(() => lifecycleRulesIn(fieldsOf("lifecycle_rules", { id: "a" }), 1)).toThrow(FieldError);
});

it("keeps what its fields do not show, which can be all that a rule does", () => {
  const rule = {
    id: "a",
    prefix: "p/",
    legacy_prefix: true,
    tags: [{ key: "team", value: "growth" }],
    larger_than: 10,
    expire_date: "2030-01-31",
    transitions: [{ date: "2029-01-31", tier: "cold" as const }],
    noncurrent_transitions: [{ days: 3, tier: "archive" as const, keep: 2 }],
    enabled: true,
  };
  const kept = JSON.stringify(keptOf(rule));
  const fields = fieldsOf("lifecycle_rules", { id: "a", prefix: "p/", enabled: "on", kept });
  expect(lifecycleRulesIn(fields, 1)).toEqual([rule]);
  expect(keptText(rule)).toHaveLength(5);
});

it("gives each rule without a name one that no other has", () => {
  const fields = new FormData();
  for (const [at, id] of ["rule 2", "", ""].entries()) {
    fields.set(`lifecycle_rules[${at}].id`, id);
    fields.set(`lifecycle_rules[${at}].expire_days`, "1");
  }
  expect(lifecycleRulesIn(fields, 3).map(({ id }) => id)).toEqual(["rule 2", "rule 3", "rule 4"]);
  fields.set("lifecycle_rules[1].id", "rule 2");
  expect(() => lifecycleRulesIn(fields, 3)).toThrow(FieldError);
});

it.each(["app.example", "https://app.example/", "https://app.example/path", "https://"])(
  "refuses the origin %j",
  (origin) => {
    const fields = fieldsOf("cors_rules", { allowed_origins: origin, allowed_methods: "GET", max_age_seconds: "0" });
    expect(() => corsRulesIn(fields, 1)).toThrow(FieldError);
  },
);

it.each(["*", "*.app.example", "https://*.app.example", "http://localhost:*", "capacitor://localhost"])(
  "takes the origin %j",
  (origin) => {
    const fields = fieldsOf("cors_rules", { allowed_origins: origin, allowed_methods: "GET", max_age_seconds: "0" });
    expect(corsRulesIn(fields, 1)[0]?.allowed_origins).toEqual([origin]);
  },
);

it("reads origins by line, methods by box, and headers between commas", () => {
  const fields = fieldsOf("cors_rules", {
    allowed_origins: "https://a.example\nhttps://b.example",
    allowed_methods: ["PUT", "GET"],
    allowed_headers: "x-a, x-b",
    expose_headers: "ETag",
    max_age_seconds: "60",
  });
  expect(corsRulesIn(fields, 1)).toEqual([
    {
      allowed_origins: ["https://a.example", "https://b.example"],
      allowed_methods: ["GET", "PUT"],
      allowed_headers: ["x-a", "x-b"],
      expose_headers: ["ETag"],
      max_age_seconds: 60,
    },
  ]);
});

it.each([
  { allowed_methods: "GET", max_age_seconds: "0" },
  { allowed_origins: "https://a.example", max_age_seconds: "0" },
])("refuses the CORS rule %j", (values) => {
  expect(() => corsRulesIn(fieldsOf("cors_rules", values), 1)).toThrow(FieldError);
});
