import fc, { type Arbitrary } from 'fast-check'

/** Any code point but a surrogate, as fast-check's unit `binary`, which fills a table of a million entries first. */
export const codePoint: Arbitrary<string> = fc
  .oneof(
    fc.integer({ min: 0, max: 0x7f }),
    fc.integer({ min: 0, max: 0xd7ff }),
    fc.integer({ min: 0xe000, max: 0x10ffff }),
  )
  .map((code) => String.fromCodePoint(code))
