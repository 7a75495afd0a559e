import { FileText, type LucideIcon, Search } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from "react";
import { Button } from "./ui/button";
import { cn } from "./ui/cn";
import { Dialog } from "./ui/dialog";
import { Input } from "./ui/input";
import { Link } from "./ui/link";

export interface FoundPlace {
  href: string;
  label: string;
  /** A second line, such as the page of a section. */
  detail?: string | undefined;
  icon?: LucideIcon;
}

export interface FoundGroup {
  label: string;
  places: readonly FoundPlace[];
}

interface SearchDialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  placeholder: string;
  query: string;
  onQueryChange: (query: string) => void;
  groups: readonly FoundGroup[];
  /** Shown in place of the results if there are none. */
  empty: ReactNode;
}

/**
 * A field and the places that it finds: arrow keys, Home and End choose one, Enter opens it. The focus stays in the
 * field, and screen readers announce the chosen place and the number of results.
 */
export function SearchDialog({ open, onOpenChange, title, ...search }: SearchDialogProps) {
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={title}
      className="top-[10dvh] max-h-[80dvh] max-w-xl translate-y-0 grid-rows-[auto_auto_minmax(0,1fr)] overflow-hidden"
    >
      <Results {...search} onOpened={() => onOpenChange(false)} />
    </Dialog>
  );
}

type ResultsProps = Omit<SearchDialogProps, "open" | "onOpenChange" | "title"> & { onOpened: () => void };

function Results({ placeholder, query, onQueryChange, groups, empty, onOpened }: ResultsProps) {
  const id = useId();
  const places = groups.flatMap((group) => group.places);
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  // Fewer results than before may be left.
  const index = Math.min(chosen, places.length - 1);
  const optionId = (i: number) => `${id}-${i}`;
  const optionAt = (i: number) => list.current?.querySelector<HTMLElement>(`#${CSS.escape(optionId(i))}`);
  const choose = (i: number) => {
    setChosen(i);
    optionAt(i)?.scrollIntoView({ block: "nearest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const target = targetOf(event.key, { index, count: places.length });
    if (event.key === "Enter") optionAt(index)?.click();
    else if (target === undefined) return;
    else choose(target);
    event.preventDefault();
  };
  return (
    <>
      <Input
        role="combobox"
        aria-label={placeholder}
        aria-expanded={places.length > 0}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        {...(places.length > 0 ? { "aria-activedescendant": optionId(index) } : {})}
        autoComplete="off"
        spellCheck={false}
        maxLength={100}
        placeholder={placeholder}
        value={query}
        onChange={(event) => {
          onQueryChange(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div className="-mx-2 overflow-y-auto px-2" ref={list}>
        <ResultCount count={places.length} empty={empty} />
        <div id={`${id}-list`} role="listbox" aria-label="Results" className="space-y-3">
          {groups.map((group, at) => (
            <Group
              key={group.label}
              {...group}
              first={groups.slice(0, at).reduce((sum, each) => sum + each.places.length, 0)}
              chosen={index}
              optionId={optionId}
              onHover={setChosen}
              onOpened={onOpened}
            />
          ))}
        </div>
      </div>
    </>
  );
}

/** For screen readers, or in place of the results if there are none. */
const ResultCount = ({ count, empty }: { count: number; empty: ReactNode }) => (
  <p aria-live="polite" className={count > 0 ? "sr-only" : "py-6 text-center text-muted-foreground text-sm"}>
    {count > 0 ? `${count} ${count === 1 ? "result" : "results"}` : empty}
  </p>
);

interface GroupProps extends FoundGroup {
  /** The index of its first place among those of all groups, and that of the chosen one. */
  first: number;
  chosen: number;
  optionId: (index: number) => string;
  onHover: (index: number) => void;
  onOpened: () => void;
}

const Group = ({ label, places, first, chosen, optionId, onHover, onOpened }: GroupProps) => (
  // biome-ignore lint/a11y/useSemanticElements: a group of options; <fieldset> is for forms.
  <div role="group" aria-label={label}>
    <p aria-hidden className="px-2.5 pb-1 font-medium text-muted-foreground text-xs">
      {label}
    </p>
    {places.map((place, i) => (
      <Option
        key={place.href}
        {...place}
        id={optionId(first + i)}
        isChosen={first + i === chosen}
        onHover={() => onHover(first + i)}
        onClick={onOpened}
      />
    ))}
  </div>
);

/** The option that a key moves to, or undefined for other keys. */
function targetOf(key: string, { index, count }: { index: number; count: number }): number | undefined {
  if (count === 0) return undefined;
  if (key === "ArrowDown") return (index + 1) % count;
  if (key === "ArrowUp") return (index - 1 + count) % count;
  if (key === "PageDown") return count - 1;
  if (key === "PageUp") return 0;
  return undefined;
}

interface OptionProps extends FoundPlace {
  id: string;
  isChosen: boolean;
  onHover: () => void;
  onClick: () => void;
}

const Option = ({ id, href, label, detail, icon: Icon = FileText, isChosen, onHover, onClick }: OptionProps) => (
  <Link
    id={id}
    href={href}
    role="option"
    aria-selected={isChosen}
    tabIndex={-1}
    onMouseMove={isChosen ? undefined : onHover}
    onClick={onClick}
    className={cn(
      "flex items-start gap-2.5 rounded-md px-2.5 py-2 text-sm",
      isChosen && "bg-accent text-accent-foreground",
    )}
  >
    <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted-foreground" />
    <span className="min-w-0">
      <span className="block break-words font-medium">{label}</span>
      {detail && <span className="line-clamp-2 break-words text-muted-foreground text-xs leading-5">{detail}</span>}
    </span>
  </Link>
);

/** Opens on Ctrl-K, or Cmd-K on a Mac. */
export function useSearchShortcut(onPress: () => void, enabled = true): void {
  const press = useRef(onPress);
  press.current = onPress;
  useEffect(() => {
    if (!enabled) return;
    const listen = (event: globalThis.KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey)
        return;
      event.preventDefault();
      press.current();
    };
    window.addEventListener("keydown", listen);
    return () => window.removeEventListener("keydown", listen);
  }, [enabled]);
}

/** Opens a search; from 640 px on with its shortcut. */
export const SearchButton = ({
  label,
  onClick,
  className,
}: {
  label: string;
  onClick: () => void;
  className?: string;
}) => (
  <Button
    variant="outline"
    size="sm"
    aria-keyshortcuts="Control+K Meta+K"
    className={cn("justify-start text-muted-foreground", className)}
    onClick={onClick}
  >
    <Search aria-hidden />
    <span className="sr-only sm:not-sr-only">{label}</span>
    <kbd aria-hidden className="ml-auto hidden rounded border bg-muted px-1.5 font-mono text-[11px] sm:inline">
      Ctrl K
    </kbd>
  </Button>
);
