import * as Radix from "@radix-ui/react-tabs";
import { type ReactNode, useState } from "react";

interface Tab {
  value: string;
  label: string;
  content: ReactNode;
  /** Once shown, the content stays mounted while another tab is open, so that input in it is kept. */
  keeps?: boolean;
  /** Marked while another tab is open. */
  isUnsaved?: boolean;
}

interface TabsProps {
  /** Names the row of tabs for screen readers. */
  label: string;
  value: string;
  onChange: (value: string) => void;
  tabs: Tab[];
}

/** Several contents in one place; arrow keys move between the tabs. */
export function Tabs({ label, value, onChange, tabs }: TabsProps) {
  const [opened, setOpened] = useState<readonly string[]>([value]);
  if (!opened.includes(value)) setOpened([...opened, value]);
  return (
    <Radix.Root value={value} onValueChange={onChange} className="min-w-0 space-y-4">
      <Radix.List aria-label={label} className="flex flex-wrap gap-1 border-b">
        {tabs.map((tab) => (
          <Radix.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px border-transparent border-b-2 px-2 py-2 sm:px-3 font-medium text-muted-foreground text-sm transition-colors hover:text-foreground data-[state=active]:border-primary data-[state=active]:text-foreground"
          >
            {tab.label}
            {tab.isUnsaved && tab.value !== value && (
              <>
                <span aria-hidden className="mb-0.5 ml-1.5 inline-block size-1.5 rounded-full bg-chart-3" />
                <span className="sr-only"> (unsaved changes)</span>
              </>
            )}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map((tab) => (
        <Radix.Content
          key={tab.value}
          value={tab.value}
          tabIndex={-1}
          {...(tab.keeps && opened.includes(tab.value) && { forceMount: true })}
          className="space-y-4 outline-none data-[state=inactive]:hidden"
        >
          {tab.content}
        </Radix.Content>
      ))}
    </Radix.Root>
  );
}
