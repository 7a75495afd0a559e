"use client";

import NextLink from "next/link";
import { type ComponentProps, useEffect, useRef, useState } from "react";

/** A pointer or a focus that stays this long is likely to open the link; one that passes by is shorter. */
const LIKELY_AFTER_MS = 80;

/**
 * Next's link that fetches its page when the pointer or the focus stays on it. Next fetches the pages of all links in
 * view, which made each view of the dashboard ask the server for some twenty others.
 */
export function Link({
  onPointerEnter,
  onPointerLeave,
  onTouchStart,
  onFocus,
  onBlur,
  ...props
}: ComponentProps<typeof NextLink>) {
  const { isLikely, arrive, leave, touch } = useLikely();
  return (
    <NextLink
      {...props}
      prefetch={isLikely ? null : false}
      onPointerEnter={(event) => {
        arrive();
        onPointerEnter?.(event);
      }}
      onPointerLeave={(event) => {
        leave();
        onPointerLeave?.(event);
      }}
      onTouchStart={(event) => {
        touch();
        onTouchStart?.(event);
      }}
      onFocus={(event) => {
        arrive();
        onFocus?.(event);
      }}
      onBlur={(event) => {
        leave();
        onBlur?.(event);
      }}
    />
  );
}

function useLikely() {
  const [isLikely, setLikely] = useState(false);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const leave = () => clearTimeout(timer.current);
  useEffect(() => () => clearTimeout(timer.current), []);
  const arrive = () => {
    leave();
    timer.current = setTimeout(() => setLikely(true), LIKELY_AFTER_MS);
  };
  return { isLikely, arrive, leave, touch: () => setLikely(true) };
}
