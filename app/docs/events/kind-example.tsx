import { DocsCode } from "../docs-code";

export const KindExample = ({ label, event }: { label: string; event: unknown }) => (
  <DocsCode label={label} code={JSON.stringify(event, null, 2)} language="json" />
);
