import { DataTable } from "../../components/data-table";

const EXAMPLES = [
  { match: "Broad", yes: "waterproof shoes for running", no: "running jacket" },
  { match: "Phrase", yes: "best running shoes for rain", no: "shoes for running" },
  { match: "Exact", yes: "running shoe", no: "red running shoes" },
  { match: "Negative", yes: "", no: "used running shoes" },
];

/** What "running shoes" as a keyword of each type lets through. Forms of a word count as the word. */
export const KeywordHelp = () => (
  <details className="mb-5 rounded-lg border p-4">
    <summary className="cursor-pointer font-medium text-sm">How the four types match</summary>
    <div className="mt-4 space-y-3">
      <p className="text-muted-foreground text-sm">
        With the keyword “running shoes”. Plural and other forms count as the same word; the order of strength is exact,
        phrase, broad, and a negative keyword overrules them all.
      </p>
      <DataTable
        caption="Examples for the keyword running shoes"
        rows={EXAMPLES}
        keyOf={({ match }) => match}
        columns={[
          { label: "Type", className: "min-w-0", cell: ({ match }) => match },
          {
            label: "Serves on",
            cell: ({ yes }) => yes || <span className="text-muted-foreground">only keeps away</span>,
          },
          { label: "Not on", cell: ({ no }) => no },
        ]}
      />
    </div>
  </details>
);
