import { type LucideIcon, Megaphone, RadioTower } from "lucide-react";
import { useState } from "react";
import { type FoundGroup, type FoundPlace, SearchDialog, useSearchShortcut } from "../../../components/search-dialog";
import { DOCS_SECTIONS } from "../../../docs/docs-sections";
import { useDocsResults } from "../../../docs/use-docs-results";
import { useQueryOf } from "../../../trpc/use-operation";
import { SECTIONS } from "../../navigation";
import { useMode } from "./mode";
import type { Feature } from "./navigation-section";

/** Channels and campaigns are matched in the browser, among the newest. */
const NAMES_MAX = 200;
const SHOWN_MAX = 6;

interface CommandPaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  features: readonly Feature[];
}

/** Ctrl-K: opens pages, channels and campaigns of the current mode, and the documentation. */
export function CommandPalette({ open, onOpenChange, features }: CommandPaletteProps) {
  const [query, setQuery] = useState("");
  useSearchShortcut(() => onOpenChange(true));
  const groups = useGroups(query, { open, features });
  return (
    <SearchDialog
      open={open}
      onOpenChange={(next) => {
        onOpenChange(next);
        if (!next) setQuery("");
      }}
      title="Go to"
      placeholder="Search pages, channels, campaigns and documentation"
      query={query}
      onQueryChange={setQuery}
      groups={groups}
      empty={`Nothing found for “${query.trim()}”.`}
    />
  );
}

function useGroups(query: string, { open, features }: { open: boolean; features: readonly Feature[] }): FoundGroup[] {
  const { mode } = useMode();
  const channels = useQueryOf("listChannels", { mode, limit: NAMES_MAX }, { enabled: open });
  const campaigns = useQueryOf("listCampaigns", { mode, limit: NAMES_MAX }, { enabled: open });
  const sections = useDocsResults(query, open);
  const documentation: FoundPlace[] =
    query.trim() === ""
      ? DOCS_SECTIONS.flatMap(({ places }): readonly FoundPlace[] => places)
      : sections.map(({ href, title, page }) => ({ href, label: title, detail: page }));
  const pages = SECTIONS.flatMap(({ entries }) => entries).filter(
    ({ feature }) => !feature || features.includes(feature),
  );
  const groups: FoundGroup[] = [
    { label: "Pages", places: matching(query, pages) },
    {
      label: "Channels",
      places: matching(query, placesOf(channels.data?.data, { base: "channels", icon: RadioTower })),
    },
    {
      label: "Campaigns",
      places: matching(query, placesOf(campaigns.data?.data, { base: "campaigns", icon: Megaphone })),
    },
    { label: "Documentation", places: documentation },
  ];
  return groups
    .map(({ label, places }) => ({ label, places: label === "Pages" ? places : places.slice(0, SHOWN_MAX) }))
    .filter(({ places }) => places.length > 0);
}

const placesOf = (
  items: readonly { id: string; name: string }[] | undefined,
  { base, icon }: { base: string; icon: LucideIcon },
): FoundPlace[] => (items ?? []).map(({ id, name }) => ({ href: `/offers/${base}/${id}`, label: name, icon }));

/** The places whose label contains every word of the query; those that begin with it come first. */
function matching(query: string, places: readonly FoundPlace[]): FoundPlace[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const begins = ({ label }: FoundPlace) => (label.toLowerCase().startsWith(words.join(" ")) ? 0 : 1);
  return places
    .filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
    .sort((a, b) => begins(a) - begins(b));
}
