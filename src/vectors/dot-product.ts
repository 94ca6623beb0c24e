import { Instance, Module, type WasmMemory } from './webassembly.ts'

/** Multiplies `length` bytes of Float32 at `a` with those at `b`, and returns the sum. `length` is a multiple of 64, and not 0. */
export type DotProduct = (a: number, b: number, length: number) => number

/** Numbers that one step of the loop multiplies. */
export const numbersAtOnce = 16

/** Compiles the product for a memory. Four sums, so that no addition waits for the one before it. */
export function dotProduct(memory: WasmMemory): DotProduct {
  const { exports } = new Instance(new Module(code()), { env: { memory } })
  const { dot } = exports
  if (!isDotProduct(dot)) throw new Error('the code has no dot product')
  return dot
}

function isDotProduct(given: unknown): given is DotProduct {
  return typeof given === 'function'
}

// The code is put together here, because 200 bytes need no compiler. Names are those of the instructions in the text format.

const [i32, f32, v128] = [0x7f, 0x7d, 0x7b]
const end = 0x0b
const loop = [0x03, 0x40]
const brIf = 0x0d
const f32Add = 0x92
const i32Add = 0x6a
const i32Sub = 0x6b
const get = (local: number) => [0x20, local]
const set = (local: number) => [0x21, local]
const tee = (local: number) => [0x22, local]
const i32Const = (value: number) => [0x41, ...signed(value)]
/** From an address that is a multiple of 4. */
const v128Load = (offset: number) => [0xfd, 0x00, 2, offset]
const f32x4Lane = (lane: number) => [0xfd, 0x1f, lane]
const f32x4Add = [0xfd, 0xe4, 0x01]
const f32x4Mul = [0xfd, 0xe6, 0x01]

const [a, b, length] = [0, 1, 2]
const sums = [3, 4, 5, 6]
const stepBytes = numbersAtOnce * Float32Array.BYTES_PER_ELEMENT

function code(): Uint8Array {
  const body = [
    ...[1, sums.length, v128],
    ...loop,
    ...sums.flatMap((sum, i) => multiply(sum, 16 * i)),
    ...[...get(a), ...i32Const(stepBytes), i32Add, ...set(a)],
    ...[...get(b), ...i32Const(stepBytes), i32Add, ...set(b)],
    ...[...get(length), ...i32Const(stepBytes), i32Sub, ...tee(length), brIf, 0],
    end,
    ...[...sums.flatMap(get), ...f32x4Add, ...f32x4Add, ...f32x4Add, ...set(3)],
    ...[0, 1, 2, 3].flatMap((lane) => [...get(3), ...f32x4Lane(lane)]),
    ...[f32Add, f32Add, f32Add],
    end,
  ]
  return Uint8Array.from([
    ...text('\0asm'),
    ...[1, 0, 0, 0],
    ...section(1, [0x60, ...list([i32, i32, i32]), ...list([f32])]),
    ...section(2, [...name('env'), ...name('memory'), 2, 0, 1]),
    ...section(3, [0]),
    ...section(7, [...name('dot'), 0, 0]),
    ...section(10, list(body)),
  ])
}

/** Adds the products of four numbers, `offset` bytes after `a` and `b`, to a sum. */
function multiply(sum: number, offset: number): number[] {
  const [left, right] = [a, b].map((side) => [...get(side), ...v128Load(offset)])
  return [...get(sum), ...(left ?? []), ...(right ?? []), ...f32x4Mul, ...f32x4Add, ...set(sum)]
}

/** A section with one item. */
function section(id: number, item: readonly number[]): number[] {
  return [id, ...list([1, ...item])]
}

const name = (written: string) => list(text(written))
const text = (written: string) => [...Buffer.from(written)]
const list = (items: readonly number[]) => [...unsigned(items.length), ...items]

/** A number from 0 to 16383, seven bits a byte. */
function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, value >> 7]
}

/** A number from 0 to 8191: the last byte's highest bit is its sign. */
function signed(value: number): number[] {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, value >> 7]
}
