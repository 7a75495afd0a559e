/** Single-page apps update title and text shortly after the URL. */
const SETTLED_MS = 200;

/** The page's URL without a plain anchor. */
export function currentUrl(): string {
  return location.href.replace(/#(?![/!]).*/, "");
}

/**
 * Calls `onSettled` shortly after the URL changes by the history API or by back and forward. Browsers without the Navigation API (Safari before 26.2, Firefox before 147) do not report this.
 */
export function watchUrl(onSettled: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  window.navigation?.addEventListener("currententrychange", () => {
    clearTimeout(timer);
    timer = setTimeout(onSettled, SETTLED_MS);
  });
}
