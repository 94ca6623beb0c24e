interface Architecture {
  /** `AUDIT_ARCH_…` in `linux/audit.h`. */
  readonly audit: number
  readonly socket: number
  /**
   * ptrace, process_vm_readv, process_vm_writev, add_key, request_key, keyctl, io_uring_setup, io_uring_enter, io_uring_register.
   */
  readonly refused: readonly number[]
}

/** By Node's names. Numbers from `asm/unistd_64.h` and `asm-generic/unistd.h`. */
const architectures: Readonly<Record<string, Architecture>> = {
  x64: { audit: 0xc000003e, socket: 41, refused: [101, 310, 311, 248, 249, 250, 425, 426, 427] },
  arm64: { audit: 0xc00000b7, socket: 198, refused: [117, 270, 271, 217, 218, 219, 425, 426, 427] },
}

/** First number of the x32 calls, which would bypass the checks on x86. */
const x32 = 0x40000000
/** `AF_VSOCK`, sockets to the host of a virtual machine. A network namespace does not block them. */
const vsock = 40

/** Offsets in `struct seccomp_data`. */
const [numberAt, architectureAt, firstArgumentAt] = [0, 4, 16]

/** Results of a filter: allow, fail with `EPERM`, kill. */
const [allowed, refused, killed] = [0x7fff0000, 0x00050001, 0x80000000]

/**
 * A seccomp filter in classic BPF. Calls that reach other programs' memory, keys, or past filters fail with `EPERM`; programs of
 * another architecture, with other call numbers, are killed. `undefined` for an unknown architecture.
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

/** Operation, instructions to skip if its test holds and if not, operand. */
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

/** Encodes `struct sock_filter` entries. Both architectures are little-endian. */
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
