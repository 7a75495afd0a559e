import { commandsOf, type Field, flagName, nouns } from "./command";
import { EXIT, UsageError } from "./errors";
import { flagsOf } from "./flags";
import type { Io } from "./io";
import { suggestion } from "./suggestion";
import { BUILT_IN } from "./usage";

const SCRIPTS: Readonly<Record<string, string>> = {
  bash: `_svc() {
  local IFS=$'\\n'
  COMPREPLY=($(compgen -W "$(svc __complete "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _svc svc
`,
  zsh: `#compdef svc
_svc() {
  local -a found
  found=("\${(@f)$(svc __complete "\${(@)words[2,CURRENT]}" 2>/dev/null)}")
  if (( \${#found} )) && [[ -n "\${found[1]}" ]]; then compadd -- "\${found[@]}"; else _files; fi
}
compdef _svc svc
`,
  fish: `function __svc_complete
  set -l words (commandline -opc) (commandline -ct)
  svc __complete $words[2..-1] 2>/dev/null
end
complete -c svc -a '(__svc_complete)'
`,
};

/** `svc completion bash`: a script that calls `svc __complete` for every word. */
export function printCompletion([shell, ...rest]: readonly string[], { stdout }: Io): number {
  const script = shell !== undefined && Object.hasOwn(SCRIPTS, shell) ? SCRIPTS[shell] : undefined;
  if (script === undefined || rest.length > 0) {
    const known = Object.keys(SCRIPTS);
    throw new UsageError(`svc completion needs one of ${known.join(", ")}${suggestion(shell ?? "", known)}`);
  }
  stdout.write(script);
  return EXIT.ok;
}

/** Completions for the last of `words`, one per line. */
export function printCandidates(words: readonly string[], { stdout }: Io): number {
  const begun = words.at(-1) ?? "";
  const fitting = candidates(words.slice(0, -1)).filter((word) => word.startsWith(begun));
  stdout.write(fitting.map((word) => `${word}\n`).join(""));
  return EXIT.ok;
}

function candidates([noun, verb, ...given]: readonly string[]): string[] {
  if (noun === undefined) return [...nouns, ...Object.keys(BUILT_IN)];
  if (noun === "completion") return verb === undefined ? Object.keys(SCRIPTS) : [];
  const only = commandsOf(noun).find((one) => one.verb === "");
  if (verb === undefined && !only) return commandsOf(noun).map((command) => command.verb);
  const command = only ?? commandsOf(noun).find((one) => one.verb === verb);
  if (!command || (command.runsProgram && given.includes("--"))) return [];
  const typed = only ? [verb ?? "", ...given] : given;
  const before = typed.at(-1) ?? "";
  const known: readonly (Pick<Field, "name" | "kind"> & Partial<Field>)[] = [...command.fields, ...flagsOf(command)];
  const field = known.find(({ name }) => before === `--${flagName(name)}`);
  if (field && field.kind !== "boolean") return (field.values ?? []).map(String);
  const flags = [...command.fields.map(({ name }) => flagName(name)), ...flagsOf(command).map(({ name }) => name)];
  return flags.map((name) => `--${name}`).filter((flag) => !typed.includes(flag));
}
