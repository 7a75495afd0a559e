"use client";

import { DocsCode } from "../docs-code";
import { Code } from "../docs-text";
import { useRunner } from "../runner";
import { clientExamples, KEY_SHELL } from "./examples";

/** OpenAI's client libraries, with the address of this installation. */
export function ClientExamples() {
  const { publicUrl } = useRunner();
  const { python, node } = clientExamples(publicUrl);
  return (
    <>
      <p>
        OpenAI&apos;s client libraries need two settings: the base URL <Code>{`${publicUrl}/v1`}</Code>, and your
        platform key in place of OpenAI&apos;s:
      </p>
      <DocsCode label="Shell" code={KEY_SHELL} language="bash" />
      <DocsCode label="chat.py" code={python} language="python" />
      <DocsCode label="chat.mjs" code={node} language="javascript" />
    </>
  );
}
