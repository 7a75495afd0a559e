"use client";

import { usePathname, useRouter, useSearchParams } from "next/navigation";
import { createContext, type ReactNode, use, useCallback, useEffect, useRef, useState } from "react";
import { cn } from "../../../components/ui/cn";

export type Mode = "test" | "live";

const MODE_COOKIE_DAYS = 365;
const ModeContext = createContext<{ mode: Mode; setMode: (mode: Mode) => void }>({ mode: "test", setMode: () => {} });

export const useMode = () => use(ModeContext);

/** Test or live: `?mode=` in the URL takes precedence, so that links can be shared; a cookie keeps the choice. */
export function ModeProvider({ remembered, children }: { remembered: Mode; children: ReactNode }) {
  const router = useRouter();
  const pathname = usePathname();
  const params = useSearchParams();
  const [chosen, setChosen] = useState<Mode>();
  const modeParam = params.get("mode");
  const urlMode = modeParam === "test" || modeParam === "live" ? modeParam : undefined;
  const mode = urlMode ?? chosen ?? remembered;
  // The mode of a link also applies to the next pages, whose URLs do not name one.
  if (urlMode && urlMode !== chosen) setChosen(urlMode);

  // A default is not stored: it depends on the tenant, and another user may log in here.
  useEffect(() => {
    if (!chosen) return;
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Firefox.
    document.cookie = `svc_mode=${chosen}; path=/; max-age=${MODE_COOKIE_DAYS * 86_400}; samesite=lax`;
  }, [chosen]);

  const setMode = useCallback(
    (next: Mode) => {
      setChosen(next);
      const query = new URLSearchParams(params);
      query.set("mode", next);
      router.replace(`${pathname}?${query}`, { scroll: false });
    },
    [params, pathname, router],
  );
  return <ModeContext value={{ mode, setMode }}>{children}</ModeContext>;
}

/** Switches the dashboard to the mode of the record on the page, once per record, so that the mode indicator is right. */
export function useFollowMode(shown: { id: string; mode: Mode } | undefined): void {
  const { mode, setMode } = useMode();
  const followed = useRef<string>(undefined);
  useEffect(() => {
    if (!shown || followed.current === shown.id) return;
    followed.current = shown.id;
    if (shown.mode !== mode) setMode(shown.mode);
  }, [shown, mode, setMode]);
}

const MODES = [
  { value: "test", label: "Test" },
  { value: "live", label: "Live" },
] as const;

export function ModeSwitch() {
  const { mode, setMode } = useMode();
  return (
    <fieldset className="grid grid-cols-2 rounded-lg border bg-muted/60 p-0.5">
      <legend className="sr-only">Mode (test offers are never billed)</legend>
      {MODES.map(({ value, label }) => (
        <label
          key={value}
          className={cn(
            "flex cursor-pointer items-center justify-center gap-2 rounded-md px-3 py-1.5 text-sm transition-colors has-focus-visible:outline-2 has-focus-visible:outline-ring",
            mode === value
              ? "bg-card font-medium shadow-xs dark:bg-input/50"
              : "text-muted-foreground hover:text-foreground",
          )}
        >
          <input
            type="radio"
            name="mode"
            value={value}
            checked={mode === value}
            onChange={() => setMode(value)}
            className="sr-only"
          />
          <span
            aria-hidden
            className={cn(
              "size-2 rounded-full",
              value === "live" ? "bg-chart-5" : "bg-chart-3",
              mode !== value && "opacity-50",
            )}
          />
          {label}
        </label>
      ))}
    </fieldset>
  );
}
