import "@xterm/xterm/css/xterm.css";
import { useTheme } from "next-themes";
import { useEffect, useEffectEvent, useRef, useState } from "react";
import { Button } from "../../../../components/ui/button";
import { connectTerminal, type TerminalView } from "./connect-terminal";

interface WebTerminalProps {
  /** Of the terminal at svc, such as /v1/pods/pod_…/terminal. */
  path: string;
  isForScreenReader: boolean;
  /** Called once with a sentence, or with nothing when the reader closes it. */
  onEnd: (why?: string) => void;
}

export function WebTerminal({ path, isForScreenReader, onEnd }: WebTerminalProps) {
  const box = useRef<HTMLDivElement>(null);
  const closeButton = useRef<HTMLButtonElement>(null);
  const view = useRef<TerminalView>(undefined);
  const [isConnected, setIsConnected] = useState(false);
  const isDark = useTheme().resolvedTheme === "dark";
  const begin = useEffectEvent((element: HTMLElement) =>
    connectTerminal(element, {
      path,
      isForScreenReader,
      isDark,
      onEnd,
      onOpen: () => setIsConnected(true),
      onLeave: () => closeButton.current?.focus(),
    }),
  );
  useEffect(() => {
    if (!box.current) return;
    const begun = begin(box.current);
    view.current = begun;
    return begun.close;
  }, []);
  useEffect(() => view.current?.setDark(isDark), [isDark]);
  return (
    <div className="space-y-3">
      <div ref={box} className="h-96 overflow-hidden rounded-lg border bg-white p-2 dark:bg-[#0b0d12]" />
      <div className="flex items-center gap-3">
        <Button ref={closeButton} variant="outline" onClick={() => onEnd()}>
          Close terminal
        </Button>
        <span role="status" className="text-muted-foreground text-sm">
          {isConnected ? "Connected." : "Connecting …"}
        </span>
      </div>
    </div>
  );
}
