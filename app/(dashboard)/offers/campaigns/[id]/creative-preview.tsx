import { useEffect, useRef, useState } from "react";
import { SelectField } from "../../../../components/form/fields";
import { mountPreview } from "../../components/mount-preview";
import { type PreviewedAdvertiser, type PreviewedCreative, previewedOffer } from "./previewed-offer";

const LAYOUTS = ["card", "list", "inline", "banner"] as const;
const THEMES = ["light", "dark"] as const;
const HEIGHT_MIN_PX = 120;
/** Debounces typing without a noticeable delay. */
const REDRAW_DELAY_MS = 120;

interface CreativePreviewProps {
  creative: PreviewedCreative;
  advertiser: PreviewedAdvertiser;
}

/** The real widget in an iframe, showing the current state of the form. */
export function CreativePreview({ creative, advertiser }: CreativePreviewProps) {
  const [layout, setLayout] = useState<string>(LAYOUTS[0]);
  const [theme, setTheme] = useState<string>(THEMES[0]);
  return (
    <section aria-label="Preview" className="space-y-3">
      <div className="grid grid-cols-2 gap-3">
        <SelectField name="layout" label="Preview as" value={layout} onChoose={setLayout} choices={LAYOUTS} />
        <SelectField name="theme" label="On a page" value={theme} onChoose={setTheme} choices={THEMES} />
      </div>
      {/* Each layout and theme gets a new iframe. */}
      <Frame key={`${layout} ${theme}`} look={{ layout, theme }} creative={creative} advertiser={advertiser} />
      <p className="text-muted-foreground text-xs leading-5">
        Rendered by the widget itself; each layout shows a limited number of lines. A rating is shown only with its
        count.
      </p>
    </section>
  );
}

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Preview</title><body></body></html>';

interface FrameProps extends CreativePreviewProps {
  look: { layout: string; theme: string };
}

function Frame({ look, creative, advertiser }: FrameProps) {
  const frame = useRef<HTMLIFrameElement>(null);
  const draft = JSON.stringify({ creative, advertiser });
  const latest = useRef(draft);
  const stop = useRef<() => void>(undefined);
  const [height, setHeight] = useState(HEIGHT_MIN_PX);
  useEffect(() => () => stop.current?.(), []);
  useEffect(() => {
    latest.current = draft;
    const timer = setTimeout(() => frame.current?.contentWindow?.svc?.("update"), REDRAW_DELAY_MS);
    return () => clearTimeout(timer);
  }, [draft]);
  const offers = (origin: string) => {
    const now = JSON.parse(latest.current) as CreativePreviewProps;
    return [previewedOffer(now.creative, now.advertiser, origin)];
  };
  return (
    <iframe
      ref={frame}
      title="Preview of the offer"
      srcDoc={EMPTY_PAGE}
      onLoad={({ currentTarget: { contentDocument } }) => {
        if (contentDocument) stop.current = mountPreview(contentDocument, { ...look, limit: 1, offers }, setHeight);
      }}
      className="block w-full rounded-lg border bg-background"
      style={{ height: Math.max(HEIGHT_MIN_PX, height) }}
    />
  );
}
