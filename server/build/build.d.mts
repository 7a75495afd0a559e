/** Builds what is out of date; `print` receives lines about what is being built. */
export function build(output: { print: (line: string) => void; pages?: boolean }): Promise<void>;
