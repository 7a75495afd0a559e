"use client";

import { useEffect, useRef, useState } from "react";
import { SelectField } from "../../../components/form/fields";
import { mountPreview } from "../../channels/[id]/mount-preview";
import { type PreviewedAdvertiser, type PreviewedCreative, previewedOffer } from "./previewed-offer";

const LAYOUTS = ["card", "list", "inline", "banner"] as const;
const THEMES = ["light", "dark"] as const;
const HEIGHT_MIN_PX = 120;
/** While somebody types: long enough to bundle letters, too short to notice. */
const DRAW_AFTER_MS = 120;

interface CreativePreviewProps {
  creative: PreviewedCreative;
  advertiser: PreviewedAdvertiser;
}

/** The real widget in a page of its own, showing the creative as it stands in the form. */
export function CreativePreview({ creative, advertiser }: CreativePreviewProps) {
  const [layout, setLayout] = useState<string>(LAYOUTS[0]);
  const [theme, setTheme] = useState<string>(THEMES[0]);
  return (
    <section aria-label="Preview" className="space-y-3">
      <div className="grid grid-cols-2 gap-3">
        <SelectField name="layout" label="Preview as" value={layout} onChange={({ target }) => setLayout(target.value)}>
          {LAYOUTS.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
        <SelectField name="theme" label="On a page" value={theme} onChange={({ target }) => setTheme(target.value)}>
          {THEMES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectField>
      </div>
      {/* Another look is another page. */}
      <Frame key={`${layout} ${theme}`} look={{ layout, theme }} creative={creative} advertiser={advertiser} />
      <p className="text-muted-foreground text-xs leading-5">
        Drawn by the widget itself; every look has room for so many lines, the rest is cut. A rating shows with its
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
  const wanted = JSON.stringify({ creative, advertiser });
  const shown = useRef(wanted);
  const stop = useRef<() => void>(undefined);
  const [height, setHeight] = useState(HEIGHT_MIN_PX);
  useEffect(() => () => stop.current?.(), []);
  useEffect(() => {
    shown.current = wanted;
    const timer = setTimeout(() => frame.current?.contentWindow?.svc?.("update"), DRAW_AFTER_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const offers = (origin: string) => {
    const now = JSON.parse(shown.current) as CreativePreviewProps;
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
