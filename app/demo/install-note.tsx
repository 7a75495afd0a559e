import styles from "./demo.module.css";

/** Explains the demo to its visitors: what the page contains, or why its slots are empty. */
export function InstallNote({ browserKey, publicUrl }: { browserKey: string | undefined; publicUrl: string }) {
  if (!browserKey) {
    return (
      <aside className={styles.note} aria-labelledby="note-title">
        <h2 id="note-title" className={styles.noteTitle}>
          No demo channel on this server
        </h2>
        <p>
          Offers are left out because this installation was started without demo data. Start it on an empty data folder,
          or with <code>SVC_DEMO=on</code>, to see them here.
        </p>
      </aside>
    );
  }
  const snippet = `<script async src="${publicUrl}/widget.js" data-key="${browserKey}"></script>\n\n<div data-svc-offers data-query="trail running shoes" data-limit="3"></div>`;
  return (
    <aside className={styles.note} aria-labelledby="note-title">
      <h2 id="note-title" className={styles.noteTitle}>
        How offers get onto this page
      </h2>
      <p>
        “Worn In” is invented. Its offers are live: one script tag, and a <code>div</code> wherever they should appear.
        To paste it into another site, allow that site’s origin on the channel first.
      </p>
      <pre className={styles.code}>
        <code>{snippet}</code>
      </pre>
    </aside>
  );
}
