import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CheckboxField, SelectField, TextField } from "../../../../components/form/fields";
import { Section } from "../../../../components/ui/card";
import type { Channel } from "./channel";
import { SnippetCode } from "./snippet-code";
import { QUERY_SOURCES, type QuerySource, type SlotChoices, type WidgetVersion } from "./snippet-text";
import { WidgetPreview } from "./widget-preview";

const LAYOUTS = { card: "Cards", list: "List", inline: "Inline", banner: "Banner" };
const THEMES = { auto: "As the reader's system", light: "Light", dark: "Dark" };
const LIMITS = Object.fromEntries(Array.from({ length: 8 }, (_, i) => [`${i + 1}`, `${i + 1}`]));
const QUERY_LENGTH_MAX = 200;
const PLACEMENT_LENGTH_MAX = 100;
const DEFAULT_CHOICES = {
  source: "page",
  query: "",
  placement: "",
  layout: "card",
  theme: "auto",
  limit: "3",
} as const;

const SOURCE_NAMES: Readonly<Record<QuerySource, string>> = {
  page: "Page content",
  text: "Fixed text",
  script: "Set by my script",
};

const SOURCE_HINTS: Readonly<Record<QuerySource, string>> = {
  page: "Search terms in the page's URL, else its title, headings and keywords. Never form fields.",
  text: "For a page or a section about one thing.",
  script: "For a search box or a chat: the slot requests new offers whenever the query changes.",
};

type Choices = Required<SlotChoices>;

/** What to paste into a page or call from a server, and what it will look like. */
export function Snippet({ channel, publicUrl }: { channel: Channel; publicUrl: string }) {
  const [choices, setChoices] = useState<Choices>(DEFAULT_CHOICES);
  const [isPinned, setPinned] = useState(false);
  const version = useWidgetVersion(isPinned);
  const change = (changes: Partial<Choices>) => setChoices({ ...choices, ...changes });
  return (
    <Section
      id="show-offers"
      title="Show offers"
      description="Choose how offers look, then paste the code where they should appear."
    >
      <div className="space-y-6">
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-6">
          <QueryFields choices={choices} change={change} />
          <TextField
            name="placement"
            label="Placement"
            optional
            value={choices.placement}
            maxLength={PLACEMENT_LENGTH_MAX}
            placeholder="sponsored_result"
            hint="Identifies the slot in reports; campaigns can target it."
            className={choices.source === "text" ? "lg:col-span-2" : "lg:col-span-3"}
            onChange={(event) => change({ placement: event.target.value })}
          />
          <Choice label="Layout" value={choices.layout} of={LAYOUTS} onChoose={(layout) => change({ layout })} />
          <Choice label="Offers at most" value={choices.limit} of={LIMITS} onChoose={(limit) => change({ limit })} />
          <Choice label="Theme" value={choices.theme} of={THEMES} onChoose={(theme) => change({ theme })} />
        </div>
        <WidgetPreview layout={choices.layout} theme={choices.theme} limit={Number(choices.limit)} />
        <CheckboxField
          name="pinned"
          label="Pin this version"
          checked={isPinned}
          onChange={(event) => setPinned(event.target.checked)}
          hint="The file at a pinned address never changes, and browsers check its hash (SRI). To upgrade, paste a newer snippet."
        />
        <SnippetCode channel={channel} publicUrl={publicUrl} choices={choices} isPinned={isPinned} version={version} />
      </div>
    </Section>
  );
}

/** The latest version of the widget; fetched only when it is to be pinned. */
const useWidgetVersion = (enabled: boolean) =>
  useQuery({
    queryKey: ["widget version"],
    enabled,
    queryFn: async (): Promise<WidgetVersion> => {
      const response = await fetch("/widget.json");
      if (!response.ok) throw new Error(`The widget's version could not be read: ${response.status}`);
      return response.json();
    },
  });

interface QueryFieldsProps {
  choices: Choices;
  change: (changes: Partial<Choices>) => void;
}

function QueryFields({ choices: { source, query }, change }: QueryFieldsProps) {
  const width = source === "text" ? "lg:col-span-2" : "lg:col-span-3";
  return (
    <>
      <SelectField
        name="source"
        label="Query source"
        value={source}
        hint={SOURCE_HINTS[source]}
        className={width}
        onChange={(event) => change({ source: QUERY_SOURCES.find((one) => one === event.target.value) ?? "page" })}
        choices={QUERY_SOURCES.map((one) => ({ value: one, label: SOURCE_NAMES[one] }))}
      />
      {source === "text" && (
        <TextField
          name="query"
          label="Query"
          value={query}
          maxLength={QUERY_LENGTH_MAX}
          placeholder="noise cancelling headphones"
          className={width}
          onChange={(event) => change({ query: event.target.value })}
        />
      )}
    </>
  );
}

interface ChoiceProps {
  label: string;
  value: string;
  /** What each choice is called. */
  of: Record<string, string>;
  onChoose: (choice: string) => void;
}

const Choice = ({ label, value, of: choices, onChoose }: ChoiceProps) => (
  <SelectField
    name={label}
    label={label}
    value={value}
    onChoose={onChoose}
    className="lg:col-span-2"
    choices={Object.entries(choices).map(([choice, name]) => ({ value: choice, label: name }))}
  />
);
