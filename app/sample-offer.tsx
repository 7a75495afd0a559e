/** The snippet that a publisher pastes, and a mock-up of the resulting offer. */
export const SampleOffer = ({ publicUrl }: { publicUrl: string }) => (
  <figure className="min-w-0 space-y-4 rounded-2xl border bg-card p-4 shadow-sm sm:p-6">
    {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1). */}
    <pre className="overflow-x-auto rounded-lg bg-muted p-4 font-mono text-xs leading-6" tabIndex={0}>
      <code>{`<script async src="${publicUrl}/widget.js"
  data-key="svc_pub_…"></script>
<div data-svc-offers data-limit="3"></div>`}</code>
    </pre>
    <div className="space-y-2 rounded-lg border bg-background p-4" aria-hidden="true">
      <div className="flex justify-between text-muted-foreground text-xs">
        <span>Northlight Audio</span>
        <span className="rounded border px-1.5 py-0.5">Sponsored</span>
      </div>
      <p className="font-semibold">Quiet headphones for long flights</p>
      <p className="text-muted-foreground text-sm">Forty hours on one charge, folds flat, two years of warranty.</p>
      <div className="flex items-center justify-between pt-1">
        <span className="text-sm">
          <strong>$149.00</strong> <s className="text-muted-foreground">$199.00</s>
        </span>
        <span className="rounded-md bg-primary px-3 py-1.5 font-medium text-primary-foreground text-sm">
          See the offer
        </span>
      </div>
    </div>
    <figcaption className="text-muted-foreground text-xs">
      What you paste, and roughly what readers see. Offers inherit your page&rsquo;s font.
    </figcaption>
  </figure>
);
