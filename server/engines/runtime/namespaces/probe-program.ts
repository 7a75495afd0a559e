const ELF_HEADER_BYTES = 64;
const PROGRAM_HEADER_BYTES = 56;
const LOAD_ADDRESS = 0x400000n;
/** The exit code of the program. */
export const PROBE_EXIT_CODE = 42;

/** The machine's number in ELF, and instructions for `exit(42)`. */
const MACHINES: Readonly<Record<string, { machine: number; code: readonly number[] }>> = {
  // mov eax, 60; mov edi, 42; syscall
  amd64: { machine: 62, code: [0xb8, 60, 0, 0, 0, 0xbf, PROBE_EXIT_CODE, 0, 0, 0, 0x0f, 0x05] },
  // mov x8, #93; mov x0, #42; svc #0
  arm64: { machine: 183, code: [0xa8, 0x0b, 0x80, 0xd2, 0x40, 0x05, 0x80, 0xd2, 0x01, 0x00, 0x00, 0xd4] },
};

/**
 * An executable file for Linux that needs no other file and exits with 42 (System V ABI, chapters 4 and 5); undefined
 * for other architectures than amd64 and arm64.
 */
export function probeProgram(architecture: string): Buffer | undefined {
  const target = MACHINES[architecture];
  if (!target) return undefined;
  const { machine, code } = target;
  const codeOffset = ELF_HEADER_BYTES + PROGRAM_HEADER_BYTES;
  const file = Buffer.alloc(codeOffset + code.length);
  // Magic number, 64 bits, little-endian, version 1.
  file.set([0x7f, 0x45, 0x4c, 0x46, 2, 1, 1]);
  file.writeUInt16LE(2, 16);
  file.writeUInt16LE(machine, 18);
  file.writeUInt32LE(1, 20);
  file.writeBigUInt64LE(LOAD_ADDRESS + BigInt(codeOffset), 24);
  file.writeBigUInt64LE(BigInt(ELF_HEADER_BYTES), 32);
  file.writeUInt16LE(ELF_HEADER_BYTES, 52);
  file.writeUInt16LE(PROGRAM_HEADER_BYTES, 54);
  file.writeUInt16LE(1, 56);
  writeProgramHeader(file);
  file.set(code, codeOffset);
  return file;
}

/** One segment, readable and executable, that is the whole file. */
function writeProgramHeader(file: Buffer): void {
  file.writeUInt32LE(1, ELF_HEADER_BYTES);
  file.writeUInt32LE(5, ELF_HEADER_BYTES + 4);
  file.writeBigUInt64LE(LOAD_ADDRESS, ELF_HEADER_BYTES + 16);
  file.writeBigUInt64LE(LOAD_ADDRESS, ELF_HEADER_BYTES + 24);
  file.writeBigUInt64LE(BigInt(file.length), ELF_HEADER_BYTES + 32);
  file.writeBigUInt64LE(BigInt(file.length), ELF_HEADER_BYTES + 40);
  file.writeBigUInt64LE(0x1000n, ELF_HEADER_BYTES + 48);
}
