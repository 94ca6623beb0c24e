interface Architecture {
  /** Its `AUDIT_ARCH_…` of `linux/audit.h`. */
  readonly audit: number
  readonly socket: number
  /** ptrace, process_vm_readv, process_vm_writev, add_key, request_key, keyctl, io_uring_setup, io_uring_enter, io_uring_register. */
  readonly refused: readonly number[]
}

/** As Node calls them; the numbers are those of `asm/unistd_64.h` and `asm-generic/unistd.h`. */
const architectures: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, socket: 41, refused: [101, 310, 311, 248, 249, 250, 425, 426, 427] },
  arm64: { audit: 0xc00000b7, socket: 198, refused: [117, 270, 271, 217, 218, 219, 425, 426, 427] },
}

/** From this number on they are the calls of x32, by which an x86 program could go around the others. */
const x32 = 0x40000000
/** Sockets to the machine around a virtual one: no network of its own keeps them in. */
const vsock = 40

/** Offsets in `struct seccomp_data`. */
const [numberAt, architectureAt, firstArgumentAt] = [0, 4, 16]

/** Answers of a filter. Refused is what gives `EPERM`. */
const [allowed, refused, killed] = [0x7fff0000, 0x00050001, 0x80000000]

/**
 * A filter of system calls as bubblewrap takes it, a program of classic BPF. What commands do without, and what leads to the memory of
 * other programs, to keys and past other filters, gives `EPERM`; a program of another architecture, of which the calls have other
 * numbers, is killed. `undefined` for an architecture that is not known here.
 */
export function seccompFilter(arch: string): Uint8Array | undefined {
  const known = architectures[arch]
  if (known === undefined) return undefined
  return encode([
    load(architectureAt),
    ...unlessEqual(known.audit, killed),
    load(numberAt),
    ...fromOn(x32, refused),
    ...known.refused.flatMap((number) => whenEqual(number, refused)),
    ...unlessEqual(known.socket, allowed),
    load(firstArgumentAt),
    ...whenEqual(vsock, refused),
    give(allowed),
  ])
}

/** Operation; how many instructions to skip if its test holds, and if not; its operand. */
type Instruction = readonly [code: number, ifTrue: number, ifFalse: number, operand: number]

function load(offset: number): Instruction {
  return [0x20, 0, 0, offset]
}

function give(answer: number): Instruction {
  return [0x06, 0, 0, answer]
}

function whenEqual(value: number, answer: number): readonly Instruction[] {
  return [[0x15, 0, 1, value], give(answer)]
}

function unlessEqual(value: number, answer: number): readonly Instruction[] {
  return [[0x15, 1, 0, value], give(answer)]
}

function fromOn(value: number, answer: number): readonly Instruction[] {
  return [[0x35, 0, 1, value], give(answer)]
}

/** As `struct sock_filter`, one after the other; both architectures are little-endian. */
function encode(program: readonly Instruction[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(program.length * 8))
  for (const [i, [code, ifTrue, ifFalse, operand]] of program.entries()) {
    bytes.setUint16(i * 8, code, true)
    bytes.setUint8(i * 8 + 2, ifTrue)
    bytes.setUint8(i * 8 + 3, ifFalse)
    bytes.setUint32(i * 8 + 4, operand, true)
  }
  return new Uint8Array(bytes.buffer)
}
