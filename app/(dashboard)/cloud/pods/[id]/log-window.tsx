import { ArrowDown } from "lucide-react";
import { useLayoutEffect, useRef, useState } from "react";
import { Button } from "../../../../components/ui/button";

/** Of the end, in pixels, within which the reader counts as being at the end. */
const NEAR = 24;

/** Text that grows at its end: it scrolls with it, and keeps what is shown while the reader has scrolled up. */
export function LogWindow({ text, label = "Output of the pod" }: { text: string; label?: string }) {
  const box = useRef<HTMLElement>(null);
  const [kept, setKept] = useState<string>();
  const shown = kept ?? text;
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new text moves the end.
  useLayoutEffect(() => {
    if (kept === undefined) box.current?.scrollTo({ top: box.current.scrollHeight });
  }, [shown, kept]);
  const note = () => {
    const { scrollHeight = 0, scrollTop = 0, clientHeight = 0 } = box.current ?? {};
    const isAtEnd = scrollHeight - scrollTop - clientHeight < NEAR;
    setKept(isAtEnd ? undefined : shown);
  };
  return (
    <div className="relative">
      <section
        ref={box}
        aria-label={label}
        onScroll={note}
        className="max-h-96 overflow-auto rounded-lg border bg-muted/50"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
        tabIndex={0}
      >
        <pre className="w-max min-w-full p-3.5 font-mono text-[13px] leading-5">{shown}</pre>
      </section>
      {kept !== undefined && (
        <Button
          variant="outline"
          size="sm"
          onClick={() => setKept(undefined)}
          className="absolute right-4 bottom-4 shadow-md"
        >
          <ArrowDown aria-hidden />
          {kept === text ? "To the end" : "Show new output"}
        </Button>
      )}
    </div>
  );
}
