/** Memory of WebAssembly code, in pages of 64 KiB. */
export interface WasmMemory {
  /** Another one once the memory has grown. */
  readonly buffer: ArrayBuffer
  /** Throws `RangeError` without room. */
  grow(pages: number): number
}

/** The parts that are used here: Node's types do not declare them. */
declare const WebAssembly: {
  readonly Memory: new (limits: { readonly initial: number }) => WasmMemory
  readonly Module: new (code: Uint8Array) => object
  readonly Instance: new (
    code: object,
    imports: { readonly env: { readonly memory: WasmMemory } },
  ) => { readonly exports: { readonly [name: string]: unknown } }
}

export const { Memory, Module, Instance } = WebAssembly
