import { Code } from "./docs-text";

/** A description of the API, with what is between backticks as code. */
export const TextWithCode = ({ text }: { text: string }) => (
  <>
    {text.split("`").map((part, i) =>
      // The parts at odd positions were between two backticks.
      // biome-ignore lint/suspicious/noArrayIndexKey: the position is what identifies a part.
      i % 2 === 1 ? <Code key={i}>{part}</Code> : part,
    )}
  </>
);
