"use client";

import dynamic from "next/dynamic";
import { useState } from "react";
import { Button } from "../../../../components/ui/button";
import { Section } from "../../../../components/ui/card";
import type { Pod } from "../pod";

const PodTerminal = dynamic(() => import("./pod-terminal").then((module) => module.PodTerminal), {
  ssr: false,
  loading: () => <p className="text-muted-foreground text-sm">Loading the terminal …</p>,
});

/** A terminal of the pod, which is loaded when it is opened. */
export function PodShell({ pod }: { pod: Pod }) {
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
      title="Shell"
      description="A terminal with the shell of the image. It is closed after an hour without input or output, and when you leave this page. Ctrl+Shift+Enter moves the focus out of it."
    >
      {isOpen ? (
        <PodTerminal podId={pod.id} isForScreenReader={isForScreenReader} onEnd={close} />
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
