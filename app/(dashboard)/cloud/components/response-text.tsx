interface ResponseTextProps {
  /** What an endpoint sent: shown as text, whatever it contains. */
  text: string | null;
  label: string;
}

export const ResponseText = ({ text, label }: ResponseTextProps) =>
  text === null || text === "" ? (
    <p className="text-muted-foreground text-xs">{text === "" ? "The response has no body." : "No response."}</p>
  ) : (
    <section
      aria-label={label}
      className="max-h-48 overflow-auto rounded-md border bg-muted/50"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard (WCAG 2.1.1).
      tabIndex={0}
    >
      <pre className="whitespace-pre-wrap break-words p-2.5 font-mono text-xs leading-5">{text}</pre>
    </section>
  );
