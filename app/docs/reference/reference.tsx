"use client";

import { useTheme } from "next-themes";
import { useEffect, useRef, useState } from "react";
import { Alert } from "../../components/ui/alert";
import { useRunner } from "../runner";
import { configurationOf, type Drawn, holdMode, loadScalar } from "./scalar";

interface ReferenceProps {
  /** Of the OpenAPI document. */
  url: string;
  /** The security scheme that its reader most likely holds a key for. */
  scheme: string;
}

/** Scalar's reference with its files from us, in the theme of the site and with the keys typed on other pages. */
export function Reference({ url, scheme }: ReferenceProps) {
  const place = useRef<HTMLDivElement>(null);
  const { keys } = useRunner();
  const { resolvedTheme } = useTheme();
  const mode = resolvedTheme === "dark" ? "dark" : "light";
  const [failed, setFailed] = useState(false);
  // Drawn once: what changes later must not throw away what the reader has opened and written.
  const latest = useRef({ keys, mode });
  useEffect(() => {
    latest.current = { keys, mode };
  }, [keys, mode]);
  useEffect(() => {
    let drawn: Drawn | undefined;
    let isGone = false;
    loadScalar().then(
      (scalar) => {
        if (isGone || !place.current) return;
        const isDark = latest.current.mode === "dark";
        const configuration = configurationOf({ url, scheme, keys: latest.current.keys, isDark });
        drawn = scalar.createApiReference(place.current, configuration);
      },
      () => setFailed(true),
    );
    return () => {
      isGone = true;
      drawn?.destroy();
    };
  }, [url, scheme]);
  useEffect(() => holdMode(mode), [mode]);
  return (
    <>
      {failed && <Alert tone="bad">The reference did not load. Reload the page.</Alert>}
      {/* Inside an article Scalar's header on small screens is no second banner of the page. */}
      <article ref={place} className="min-h-dvh" />
    </>
  );
}
