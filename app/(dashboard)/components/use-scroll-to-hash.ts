import { useEffect } from "react";

/** Scrolls to the URL's fragment: a section that renders after its data does not exist when the page opens. */
export function useScrollToHash(): void {
  useEffect(() => {
    const { hash } = window.location;
    if (hash) document.getElementById(hash.slice(1))?.scrollIntoView();
  }, []);
}
