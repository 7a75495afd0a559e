import * as DropdownMenu from "@radix-ui/react-dropdown-menu";
import { Columns3 } from "lucide-react";
import { Button } from "../../../components/ui/button";
import { MENU, MENU_ITEM } from "../../../components/ui/menu";
import { FIGURES, type Figure } from "./report-figures";

interface ColumnPickerProps {
  columns: readonly Figure[];
  /** The keys of the chosen columns, or "" for the usual ones. */
  onChoose: (columns: string) => void;
}

/** Which figures the table has. */
export function ColumnPicker({ columns, onChoose }: ColumnPickerProps) {
  const shown = new Set(columns.map(({ key }) => key));
  const toggle = (key: string) => {
    const next = FIGURES.filter((figure) => (figure.key === key ? !shown.has(key) : shown.has(figure.key)));
    const isUsual = FIGURES.every((figure) => figure.isUsual === next.includes(figure));
    onChoose(isUsual ? "" : next.map((figure) => figure.key).join(",") || "none");
  };
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button variant="outline" icon={Columns3}>
          Columns
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content align="end" sideOffset={6} className={`${MENU} max-h-96 overflow-y-auto`}>
          {FIGURES.map(({ key, label, meaning }) => (
            <DropdownMenu.CheckboxItem
              key={key}
              checked={shown.has(key)}
              title={meaning}
              className={MENU_ITEM}
              // The menu stays open: people choose several columns.
              onSelect={(event) => event.preventDefault()}
              onCheckedChange={() => toggle(key)}
            >
              <span aria-hidden className="grid size-4 place-items-center rounded border border-input text-xs">
                {shown.has(key) && "✓"}
              </span>
              {label}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
