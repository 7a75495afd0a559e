"use client";

import { DocsCode } from "../docs-code";
import { useRunner } from "../runner";

const PLACEHOLDER = "svc_pub_…";

/** The script tag, with the reader's own browser key if it is known. */
export function ScriptTag() {
  const { publicUrl, browserKey } = useRunner();
  const code = `<script async src="${publicUrl}/widget.js" data-key="${browserKey?.text ?? PLACEHOLDER}"></script>
<div data-svc-offers data-query="running shoes" data-limit="3"></div>`;
  return (
    <>
      <DocsCode label="HTML" code={code} language="xml" />
      <p>
        {browserKey
          ? `The key is the browser key of your channel “${browserKey.channelName}”.`
          : "Replace the placeholder in data-key with a browser key of your channel."}{" "}
        It works on pages of the channel&apos;s origins.
      </p>
    </>
  );
}
