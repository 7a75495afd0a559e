import styles from "./demo.module.css";
import type { Guide } from "./guides";

const LONGEST_MONTHS = 36;

/** Guides as a ledger: what it is about, and for how long the things were used before a word was written. */
export function GuideList({ guides }: { guides: Guide[] }) {
  return (
    <ul className={styles.guides}>
      {guides.map((guide) => (
        <li key={guide.slug} className={styles.guide}>
          <h3 className={styles.guideTitle}>{guide.title}</h3>
          <p className={styles.guideText}>{guide.standfirst}</p>
          <p className={styles.wear}>
            <meter
              className={styles.meter}
              min={0}
              max={LONGEST_MONTHS}
              value={guide.monthsInUse}
              aria-label="Time in use"
            />
            <span>
              {guide.monthsInUse} months in use, {guide.testers} testers
            </span>
          </p>
        </li>
      ))}
    </ul>
  );
}
