import { SelectField } from "../../../components/form/fields";
import type { Tier } from "./bucket";

const TIERS: readonly { tier: Tier; label: string }[] = [
  { tier: "hot", label: "Hot" },
  { tier: "warm", label: "Warm (compressed)" },
  { tier: "cold", label: "Cold (compressed)" },
  { tier: "archive", label: "Archive (restored before it is read)" },
];

export const TIER_NAMES = TIERS.map(({ tier }) => tier);

/** The storage class of new objects. */
export const TierField = ({ defaultValue = "hot" }: { defaultValue?: Tier }) => (
  <SelectField
    name="tier"
    label="Storage class of new objects"
    defaultValue={defaultValue}
    hint="Colder classes cost less. Lifecycle rules can move objects to them by age."
    choices={TIERS.map(({ tier, label }) => ({ value: tier, label }))}
  />
);
