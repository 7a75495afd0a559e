import path from "node:path";
import { findRoot } from "../find-root";
import type { Program } from "./program";
import { ProgramStarter, StarterUnreachable, type StartProgram } from "./program-starter";

const SCRIPT = "server/engines/perl/start-programs.pl";

/** Of this process. */
let opening: Promise<ProgramStarter> | undefined;

/** Starts a program without a fork of this process; resolves when it has a process. */
export async function startProgram(program: StartProgram): Promise<Program> {
  try {
    return await (await openStarter()).start(program);
  } catch (cause) {
    // It has just been killed, and has not received the program.
    if (!(cause instanceof StarterUnreachable)) throw cause;
    return (await openStarter()).start(program);
  }
}

/** A new one if there is none yet, or the last one has ended. */
async function openStarter(): Promise<ProgramStarter> {
  const last = opening;
  const opened = await last?.catch(() => undefined);
  if (opened && !opened.hasEnded) return opened;
  if (opening === last) opening = ProgramStarter.open(path.join(findRoot(import.meta.dirname), SCRIPT));
  return opening as Promise<ProgramStarter>;
}
