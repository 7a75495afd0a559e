import { useEffect, useRef, useState } from "react";
import { Button } from "../../../../components/ui/button";
import { mountPreview, type PreviewChoices } from "../../components/mount-preview";

const HEIGHT_MIN_PX = 120;
const WIDTHS = [
  { label: "Page", className: "w-full" },
  { label: "Phone", className: "w-full max-w-[22.5rem]" },
] as const;

/** The real widget in an iframe, with sample offers: nothing is requested, counted or charged. */
export function WidgetPreview(choices: PreviewChoices) {
  const [width, setWidth] = useState<(typeof WIDTHS)[number]>(WIDTHS[0]);
  const [height, setHeight] = useState(HEIGHT_MIN_PX);
  return (
    <figure className="space-y-2">
      <figcaption className="flex flex-wrap items-center justify-between gap-2">
        <span className="font-medium text-sm">
          Preview <span className="font-normal text-muted-foreground">with made-up offers</span>
        </span>
        <span className="flex gap-2">
          {WIDTHS.map((one) => (
            <Button
              key={one.label}
              variant={one === width ? "primary" : "outline"}
              size="sm"
              aria-pressed={one === width}
              onClick={() => setWidth(one)}
            >
              {one.label}
            </Button>
          ))}
        </span>
      </figcaption>
      {/* Each layout and theme gets a new iframe, because a slot keeps what it has rendered. The height stays until the new one is known. */}
      <PreviewFrame
        key={JSON.stringify(choices)}
        {...choices}
        className={width.className}
        height={height}
        onHeight={setHeight}
      />
      <p className="text-muted-foreground text-xs leading-5">
        Offers take your page&rsquo;s font. Colours and corners are yours: set <code>--svc-accent</code>,{" "}
        <code>--svc-background</code>, <code>--svc-text</code> or <code>--svc-radius</code> on the slot, or style{" "}
        <code>::part(offer)</code>, <code>::part(title)</code> and the other parts.
      </p>
    </figure>
  );
}

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Preview</title><body></body></html>';

interface PreviewFrameProps extends PreviewChoices {
  className: string;
  height: number;
  onHeight: (px: number) => void;
}

function PreviewFrame({ className, height, onHeight, layout, theme, limit }: PreviewFrameProps) {
  const stop = useRef<() => void>(undefined);
  useEffect(() => () => stop.current?.(), []);
  return (
    <iframe
      title="Preview of the offers"
      srcDoc={EMPTY_PAGE}
      onLoad={({ currentTarget: { contentDocument } }) => {
        if (contentDocument) stop.current = mountPreview(contentDocument, { layout, theme, limit }, onHeight);
      }}
      className={`block rounded-lg border bg-background ${className}`}
      style={{ height: Math.max(HEIGHT_MIN_PX, height) }}
    />
  );
}
