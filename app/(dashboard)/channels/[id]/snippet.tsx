"use client";

import { useState } from "react";
import { SelectField } from "../../../components/form/fields";
import { Section } from "../../../components/ui/card";
import { CodeBlock } from "../../../components/ui/code-block";
import { serverCall, widgetSnippet } from "./snippet-text";

const LAYOUTS = ["card", "list", "inline", "banner"];
const THEMES = ["auto", "light", "dark"];
const LIMITS = ["1", "2", "3", "4", "6", "8"];

/** What to paste into a page or call from a server. */
export function Snippet({ publicUrl }: { publicUrl: string }) {
  const [layout, setLayout] = useState("card");
  const [theme, setTheme] = useState("auto");
  const [limit, setLimit] = useState("3");
  return (
    <Section
      title="Show offers"
      description="Paste the first block where offers should appear. Without data-query the widget reads the page's title and headings."
    >
      <div className="space-y-5">
        <div className="grid gap-4 sm:grid-cols-3">
          <Choice label="Layout" value={layout} choices={LAYOUTS} onChoose={setLayout} />
          <Choice label="Theme" value={theme} choices={THEMES} onChoose={setTheme} />
          <Choice label="Offers at most" value={limit} choices={LIMITS} onChoose={setLimit} />
        </div>
        <CodeBlock label="HTML, with a browser key" code={widgetSnippet({ publicUrl, layout, theme, limit })} />
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
