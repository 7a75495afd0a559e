import type { RuleText } from "./rule";

export const EMAIL = "email_address";
export const CARD = "payment_card";
export const IBAN = "iban";
export const SSN = "us_social_security_number";
export const PHONE = "phone_number";
export const MY_NUMBER = "japan_my_number";

const REMEDY = "Keep the object only where it is needed: restrict who can read it, or delete it.";
const rule = (id: string, severity: RuleText["severity"], title: string): RuleText => ({
  id,
  category: "personal_data",
  severity,
  title,
  remedy: REMEDY,
});

export const PERSONAL_RULES: readonly RuleText[] = [
  rule(CARD, "high", "Payment card number"),
  rule(SSN, "high", "US Social Security number"),
  rule(MY_NUMBER, "high", "Japanese My Number"),
  rule(IBAN, "medium", "IBAN"),
  rule(PHONE, "low", "Phone number"),
  rule(EMAIL, "low", "Email address"),
];
