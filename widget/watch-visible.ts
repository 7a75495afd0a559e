const LARGE_PX = 242_500;
/** Smaller than any readable card: one that is scaled to a dot is in view, but cannot be seen. */
const SMALL_PX = 1_000;
const VIEW_MS = 1_000;
const SAMPLE_MS = 100;

/**
 * Calls `onSeen` once, after the element was viewable according to the MRC (Viewable Ad Impression Measurement Guidelines
 * 2.0): at least 50 % of its pixels, 30 % from 242,500 CSS pixels on, inside the viewport of a visible tab for one
 * continuous second. Leaving the viewport, hiding the tab, and being covered (IntersectionObserver v2, where available)
 * or made invisible restart the second. Returns a function that stops watching.
 */
export function watchVisible(element: Element, onSeen: () => void): () => void {
  let ratio = 0;
  let uncovered: boolean | undefined;
  let since = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const sample = (): void => {
    const { width, height } = element.getBoundingClientRect();
    const pixels = width * height;
    const now = performance.now();
    const isViewable =
      ratio >= (pixels < LARGE_PX ? 0.5 : 0.3) &&
      pixels >= SMALL_PX &&
      uncovered !== false &&
      !document.hidden &&
      // Where the browser can detect it.
      element.checkVisibility?.({ checkOpacity: true, checkVisibilityCSS: true }) !== false;
    since = isViewable ? since || now : 0;
    clearTimeout(timer);
    if (since && now - since >= VIEW_MS) {
      stop();
      onSeen();
    } else if (ratio) timer = setTimeout(tick, SAMPLE_MS);
  };
  // Processes every entry, not only the last: a busy page may receive "left" and "came back" together.
  const update = (entries: Entry[], observer: IntersectionObserver): void => {
    for (const entry of entries) {
      if (observer === viewport) ratio = entry.intersectionRatio;
      // v2 may wrongly report "covered"; it is trusted only after it has reported "visible" once.
      else if (entry.isVisible || uncovered) uncovered = entry.isVisible || !entry.isIntersecting;
      sample();
    }
  };
  // Observers are silent about a transform, opacity or visibility that changes while the element is in view: an element
  // of no size is all in view, and stays so while it grows.
  const tick = (): void => {
    observers.map((observer) => update(observer.takeRecords(), observer));
    sample();
  };
  const stop = (): void => {
    // A sample that still comes is the last one.
    ratio = 0;
    observers.map((observer) => observer.disconnect());
    document.removeEventListener("visibilitychange", sample);
  };

  const viewport = new IntersectionObserver(update, { threshold: [0.3, 0.5] });
  // v2 reports with up to 100 ms delay, too late for leaving the viewport, so v1 runs beside it.
  const cover = new IntersectionObserver(update, { trackVisibility: true, delay: 100 } as IntersectionObserverInit);
  const observers = [viewport, cover];
  observers.map((observer) => observer.observe(element));
  document.addEventListener("visibilitychange", sample);
  return stop;
}

/** `isVisible` is from version 2: the element is not covered, translucent or transformed. */
type Entry = IntersectionObserverEntry & { isVisible?: boolean };
