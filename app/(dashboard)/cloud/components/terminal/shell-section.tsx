import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";

const WebTerminal = dynamic(() => import("./terminal").then((module) => module.WebTerminal), {
  ssr: false,
  loading: () => <p className="text-muted-foreground text-sm">Loading the terminal …</p>,
});

interface ShellSectionProps {
  title: string;
  /** What runs in the terminal, as a sentence. */
  about: string;
  /** Of the terminal at svc, such as /v1/pods/pod_…/terminal. */
  path: string;
}

/** A terminal, which is loaded when it is opened. */
export function ShellSection({ title, about, path }: ShellSectionProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [isForScreenReader, setIsForScreenReader] = useState(false);
  const [end, setEnd] = useState<string>();
  const open = () => {
    setEnd(undefined);
    setIsOpen(true);
  };
  const close = (why?: string) => {
    setEnd(why);
    setIsOpen(false);
  };
  return (
    <Section
      title={title}
      description={`${about} It is closed after an hour without input or output, and when you leave this page. Ctrl+Shift+Enter moves the focus out of it.`}
    >
      {isOpen ? (
        <WebTerminal path={path} isForScreenReader={isForScreenReader} onEnd={close} />
      ) : (
        <div className="space-y-3">
          {end !== undefined && (
            <p role="status" className="text-sm">
              {end}
            </p>
          )}
          <div className="flex flex-wrap items-center gap-4">
            <Button variant="outline" onClick={open}>
              {end === undefined ? "Open terminal" : "Open again"}
            </Button>
            <label className="flex items-center gap-2 text-sm">
              <input
                type="checkbox"
                checked={isForScreenReader}
                onChange={(event) => setIsForScreenReader(event.target.checked)}
              />
              For screen readers
            </label>
          </div>
        </div>
      )}
    </Section>
  );
}
