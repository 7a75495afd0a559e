"use client";

import { useTheme } from "next-themes";
import { useEffect, useRef, useState } from "react";
import { Alert } from "../../components/ui/alert";
import { useRunner } from "../runner";
import { forceColorMode, loadScalar, type MountedReference, scalarConfiguration } from "./scalar";

interface ReferenceProps {
  /** Of the OpenAPI document. */
  url: string;
  /** The security scheme that readers most likely have a key for. */
  scheme: string;
}

/** Scalar's API reference, self-hosted, in the site's theme and with the keys entered on other pages. */
export function Reference({ url, scheme }: ReferenceProps) {
  const container = useRef<HTMLDivElement>(null);
  const { keys } = useRunner();
  const { resolvedTheme } = useTheme();
  const mode = resolvedTheme === "dark" ? "dark" : "light";
  const [failed, setFailed] = useState(false);
  // Mounted once: later changes must not discard what the reader has opened and typed.
  const latest = useRef({ keys, mode });
  useEffect(() => {
    latest.current = { keys, mode };
  }, [keys, mode]);
  useEffect(() => {
    let mounted: MountedReference | undefined;
    let isUnmounted = false;
    loadScalar().then(
      (scalar) => {
        if (isUnmounted || !container.current) return;
        const isDark = latest.current.mode === "dark";
        const configuration = scalarConfiguration({ url, scheme, keys: latest.current.keys, isDark });
        mounted = scalar.createApiReference(container.current, configuration);
      },
      () => setFailed(true),
    );
    return () => {
      isUnmounted = true;
      mounted?.destroy();
    };
  }, [url, scheme]);
  useEffect(() => forceColorMode(mode), [mode]);
  return (
    <>
      {failed && <Alert tone="bad">The API reference failed to load. Reload the page.</Alert>}
      {/* Inside an <article>, Scalar's header on small screens is not a second banner landmark. */}
      <article ref={container} className="min-h-dvh" />
    </>
  );
}
