/** One setting, or several that are set together. */
export interface Setting {
  /** Names of environment variables. */
  names: readonly string[];
  /** What applies without them; code is between backticks. */
  byDefault: string;
  meaning: string;
}

export interface SettingGroup {
  /** The anchor of the section. */
  id: string;
  title: string;
  settings: readonly Setting[];
}
