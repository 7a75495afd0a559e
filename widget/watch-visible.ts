const LARGE_PX = 242_500;
const VIEW_MS = 1_000;

/**
 * Calls `onSeen` once, after the element was viewable according to the MRC (Viewable Ad Impression Measurement Guidelines
 * 2.0): at least 50 % of its pixels, 30 % from 242,500 CSS pixels on, inside the viewport of a visible tab for one
 * continuous second. Leaving the viewport, hiding the tab, and being covered (IntersectionObserver v2, where available) restart the second. Returns a function that stops watching.
 */
export function watchVisible(element: Element, onSeen: () => void): () => void {
  let enough = false;
  let uncovered: boolean | undefined;
  let inView = false;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const restart = (): void => {
    clearTimeout(timer);
    timer = inView && !document.hidden ? setTimeout(finish, VIEW_MS) : undefined;
  };
  // Processes every entry, not only the last: a busy page may receive "left" and "came back" together.
  const update = (entries: Entry[], observer: IntersectionObserver): void => {
    for (const entry of entries) {
      if (observer === viewport) enough = isEnough(entry);
      // v2 may wrongly report "covered"; it is trusted only after it has reported "visible" once.
      else if (entry.isVisible || uncovered) uncovered = entry.isVisible || !entry.isIntersecting;
      const was = inView;
      inView = enough && uncovered !== false;
      if (inView !== was) restart();
    }
  };
  const finish = (): void => {
    timer = undefined;
    // Pending records count too, and may have restarted the second.
    for (const observer of [viewport, cover]) update(observer.takeRecords(), observer);
    if (timer || !inView) return;
    // Elements with `visibility: hidden` or `opacity: 0` do not count, where the browser can detect it.
    if (element.checkVisibility?.({ opacityProperty: true, visibilityProperty: true }) === false) {
      restart();
      return;
    }
    stop();
    onSeen();
  };
  const stop = (): void => {
    clearTimeout(timer);
    viewport.disconnect();
    cover.disconnect();
    document.removeEventListener("visibilitychange", restart);
  };

  const viewport = new IntersectionObserver(update, { threshold: [0.3, 0.5] });
  // v2 reports with up to 100 ms delay, too late for leaving the viewport, so v1 runs beside it.
  const cover = new IntersectionObserver(update, { trackVisibility: true, delay: 100 } as IntersectionObserverInit);
  viewport.observe(element);
  cover.observe(element);
  document.addEventListener("visibilitychange", restart);
  return stop;
}

/** `isVisible` is from version 2: the element is not covered, translucent or transformed. */
type Entry = IntersectionObserverEntry & { isVisible?: boolean };

function isEnough(entry: IntersectionObserverEntry): boolean {
  const { width, height } = entry.boundingClientRect;
  const pixels = width * height;
  return pixels > 0 && entry.intersectionRatio >= (pixels >= LARGE_PX ? 0.3 : 0.5);
}
