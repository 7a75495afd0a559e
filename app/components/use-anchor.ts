"use client";

import { useEffect } from "react";

/** Scrolls to what the address's fragment names: a section that came after its data was not there when the page opened. */
export function useAnchor(): void {
  useEffect(() => {
    const { hash } = window.location;
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, []);
}
