"use client";

import { DocsCode } from "../docs-code";
import { useRunner } from "../runner";
import { clientExamples } from "./examples";

/** A locked bucket and object with the AWS command line, at the address of this installation. */
export const LockExample = () => (
  <DocsCode label="Shell" code={clientExamples(useRunner().publicUrl).lock} language="bash" />
);
