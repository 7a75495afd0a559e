import { CodeBlock } from "../components/ui/code-block";
import { type CodeLanguage, Highlighted } from "./highlighted";

/** A code block of the documentation, in colours. */
export const DocsCode = ({ label, code, language }: { label: string; code: string; language: CodeLanguage }) => (
  <CodeBlock label={label} code={code}>
    <Highlighted code={code} language={language} />
  </CodeBlock>
);
