import { DocsCode } from "../docs-code";
import { Code, DocsSection } from "../docs-text";

/** Notebooks of the plane `obs`. */
export const Notebooks = () => (
  <DocsSection id="notebooks" title="Notebooks">
    <p>
      A resource of the service <Code>notebooks</Code> of the plane <Code>obs</Code> is a document with up to 50 cells:
      a text in Markdown, or a query of records of a telemetry store with fixed times. The queries run when the notebook
      is created or its spec changes. The document is served as <Code>text/markdown</Code> at the URL in{" "}
      <Code>endpoints</Code>, which cannot be guessed and needs no key: anyone who has it can read the records. Only
      callers with <Code>gpuc:read</Code> can name a store. <Code>observed.sha256</Code> is the hash of the document.
      There are no charts, and svc draws no page from the document.
    </p>
    <DocsCode label="POST /v1/resources" code={EXAMPLE} language="json" />
  </DocsSection>
);

const EXAMPLE = `{
  "plane": "obs",
  "service": "notebooks",
  "name": "incident",
  "spec": {
    "cells": [
      { "type": "markdown", "text": "What happened on Monday" },
      {
        "type": "records",
        "store": "res_01jd0z3k5q8v6w2x4y7a9b1c3d",
        "from": "2026-11-20T08:00:00Z",
        "to": "2026-11-20T09:00:00Z",
        "contains": "timeout"
      }
    ]
  }
}`;
