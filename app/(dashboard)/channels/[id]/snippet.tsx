"use client";

import { useState } from "react";
import { SelectField, TextField } from "../../../components/form/fields";
import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { serverCall, widgetSnippet } from "./snippet-text";

const THEMES = ["auto", "light", "dark"];
const LIMITS = ["1", "2", "3", "4", "5", "6", "7", "8"];
const QUERY_LENGTH_MAX = 200;
const PLACEMENT_LENGTH_MAX = 100;

/** What to paste into a page or call from a server. */
export function Snippet({ publicUrl }: { publicUrl: string }) {
  const [query, setQuery] = useState("");
  const [placement, setPlacement] = useState("");
  const [theme, setTheme] = useState("auto");
  const [limit, setLimit] = useState("3");
  return (
    <Section
      title="Show offers"
      description="Paste the block where offers should appear. Change data-query from your own script, such as a search box, and the slot asks again."
    >
      <div className="space-y-5">
        <div className="grid gap-4 sm:grid-cols-2">
          <TextField
            name="query"
            label="Query"
            optional
            value={query}
            maxLength={QUERY_LENGTH_MAX}
            autoComplete="off"
            placeholder="noise cancelling headphones"
            hint="What the reader looks for. Left empty, the page's title is the context."
            onChange={(event) => setQuery(event.target.value)}
          />
          <TextField
            name="placement"
            label="Placement"
            optional
            value={placement}
            maxLength={PLACEMENT_LENGTH_MAX}
            autoComplete="off"
            placeholder="sponsored_result"
            hint="Tells slots apart in reports; campaigns can be aimed at it."
            onChange={(event) => setPlacement(event.target.value)}
          />
          <Choice label="Offers at most" value={limit} choices={LIMITS} onChoose={setLimit} />
          <Choice label="Theme" value={theme} choices={THEMES} onChoose={setTheme} />
        </div>
        <CodeBlock
          label="HTML, with a browser key"
          code={widgetSnippet({ publicUrl, query, placement, theme, limit })}
        />
        <CodeBlock label="Server, with a server key" code={serverCall(publicUrl)} />
      </div>
    </Section>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  choices: string[];
  onChoose: (choice: string) => void;
}

const Choice = ({ label, value, choices, onChoose }: ChoiceProps) => (
  <SelectField name={label} label={label} value={value} onChange={(event) => onChoose(event.target.value)}>
    {choices.map((choice) => (
      <option key={choice}>{choice}</option>
    ))}
  </SelectField>
);
