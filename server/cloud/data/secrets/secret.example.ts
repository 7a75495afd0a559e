import { EXAMPLE_TIMES, exampleId } from "../../../operation/example";
import type { Secret, SecretWithVersions } from "./secret";

export const secretExample: Secret = {
  id: exampleId("sct"),
  project_id: exampleId("prj"),
  mode: "live",
  name: "SMTP_PASSWORD",
  version: 1,
  ...EXAMPLE_TIMES,
};

export const secretWithVersionsExample: SecretWithVersions = {
  ...secretExample,
  versions: [{ version: 1, created_at: EXAMPLE_TIMES.created_at }],
};

export const EXAMPLE_VALUE = "correct horse battery staple";
