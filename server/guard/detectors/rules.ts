import { ASSIGNED_RULES } from "./assigned-secrets";
import { TEST_FILE } from "./malware";
import { PERSONAL_RULES } from "./personal-data";
import { PRIVATE_KEY } from "./private-keys";
import type { RuleText } from "./rule";
import { SECRET_FORMATS } from "./secret-formats";
import { STRUCTURED_RULES } from "./tokens-and-urls";

/** Changes with the rules: objects that were scanned with another version are read again. */
export const RULES_VERSION = "2026-11-27";

const REMEDY = "Revoke the key at its provider, delete the object, and keep the new key as a secret.";

/** Every rule for the content of objects. */
export const CONTENT_RULES: readonly RuleText[] = [
  ...SECRET_FORMATS.map(
    ({ id, title, severity = "high" }): RuleText => ({ id, category: "secret", severity, title, remedy: REMEDY }),
  ),
  PRIVATE_KEY,
  ...STRUCTURED_RULES,
  ...ASSIGNED_RULES,
  ...PERSONAL_RULES,
  TEST_FILE,
];
