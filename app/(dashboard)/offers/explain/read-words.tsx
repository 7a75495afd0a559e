import type { Reading } from "./fit-parts";

type ReadWord = Reading["words"][number];

const WORDS_SHOWN = 24;
/** What was done to a word of the request to find it. */
const NOTES: Record<ReadWord["found"], (written: string) => string> = {
  known: () => "",
  corrected: (written) => `corrected from “${written}”`,
  split: (written) => `split from “${written}”`,
  joined: () => "joined with its neighbour",
  synonym: () => "by a synonym",
  unknown: () => "in no item",
};

/** The words that may name goods: first those that name the wanted thing, then all others. */
export function ReadWords({ words }: Pick<Reading, "words">) {
  const [wanted, others] = [words.filter((word) => word.wanted), words.filter((word) => !word.wanted)];
  return (
    <div className="min-w-0 space-y-4">
      <WordList title="What is wanted" hint="Offers are found by these words." words={wanted} isWanted />
      {others.length > 0 && (
        <WordList title="Beside it" hint="These words only change the order of offers." words={others} />
      )}
    </div>
  );
}

interface WordListProps {
  title: string;
  hint: string;
  words: readonly ReadWord[];
  isWanted?: boolean;
}

const WordList = ({ title, hint, words, isWanted = false }: WordListProps) => (
  <div className="space-y-2">
    <h3 className="font-medium text-sm">{title}</h3>
    <p className="text-muted-foreground text-xs">{hint}</p>
    <ul aria-label={title} className="flex flex-wrap gap-1.5 text-sm">
      {words.slice(0, WORDS_SHOWN).map((word, i) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the words of a reading do not change, and one may occur twice.
          key={i}
          className={`max-w-full break-words rounded-md border px-2 py-0.5 ${isWanted ? "border-primary/50 bg-accent text-accent-foreground" : "text-muted-foreground"}`}
        >
          {word.word}
          <Note {...word} />
        </li>
      ))}
    </ul>
    {words.length > WORDS_SHOWN && (
      <p className="text-muted-foreground text-xs">and {words.length - WORDS_SHOWN} more</p>
    )}
  </div>
);

function Note({ found, written }: ReadWord) {
  const note = NOTES[found](written);
  return note !== "" && <span className="text-xs opacity-80"> ({note})</span>;
}
