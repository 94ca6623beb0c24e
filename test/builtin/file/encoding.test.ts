import fc from 'fast-check'
import { expect } from 'vitest'
import {
  decodeDamaged,
  decodeText,
  type Encoding,
  encodeText,
  misfit,
} from '../../../src/builtin/file/encoding.ts'
import { quickIt as it, quickDescribe, sized, sizedIt } from '../../support/thorough.ts'

const bytes = (...values: readonly number[]) => Uint8Array.from(values)
const latin1 = (text: string) => Buffer.from(text, 'latin1')
const utf16 = (text: string) => Buffer.from(text, 'utf16le')

quickDescribe('the encoding of a file', () => {
  it.each<readonly [string, Uint8Array, Encoding, string]>([
    ['an empty file', bytes(), 'UTF-8', ''],
    ['ASCII', Buffer.from('a\n'), 'UTF-8', 'a\n'],
    ['UTF-8', Buffer.from('é😀'), 'UTF-8', 'é😀'],
    ['marked UTF-8', bytes(0xef, 0xbb, 0xbf, 0x61), 'UTF-8', '\ufeffa'],
    ['marked UTF-16, little-endian', utf16('\ufeff文'), 'UTF-16LE', '\ufeff文'],
    ['marked UTF-16, big-endian', utf16('\ufeff文').swap16(), 'UTF-16BE', '\ufeff文'],
    ['UTF-16 with typical NULs', utf16('hello, wörld 文\n'), 'UTF-16LE', 'hello, wörld 文\n'],
    ['the same, big-endian', utf16('hello, wörld\n').swap16(), 'UTF-16BE', 'hello, wörld\n'],
    ['Latin-1', latin1('caf\xe9\n'), 'Latin-1', 'café\n'],
    ['Windows-1252', latin1('caf\xe9 \x80 5 \x93x\x94\n'), 'Windows-1252', 'café € 5 “x”\n'],
  ])('is detected in %s', (_, file, encoding, text) => {
    expect(decodeText(file)).toEqual({ encoding, text })
  })

  it.each<readonly [Encoding, string, string]>([
    [
      'Shift_JIS',
      '2f2f2090dd92e882f093c782de814282b182ea82cd83658358836782c582b70a',
      '// 設定を読む。これはテストです\n',
    ],
    [
      'EUC-JP',
      '2f2f20c0dfc4eaa4f2c6c9a4e0a1a3a4b3a4eca4cfa5c6a5b9a5c8a4c7a4b90a',
      '// 設定を読む。これはテストです\n',
    ],
    ['GBK', '2f2f20b6c1c8a1c5e4d6c3cec4bcfea3acb7b5bbd8bde1b9fb0a', '// 读取配置文件，返回结果\n'],
    [
      'Big5',
      '2f2f20c5aaa8fab35da977c0c9aed7a141b36fac4fc163c5e9a4a4a4e50a',
      '// 讀取設定檔案，這是繁體中文\n',
    ],
    ['EUC-KR', '2f2f20bcb3c1a420c6c4c0cfc0bb20c0d0b4c2b4d90a', '// 설정 파일을 읽는다\n'],
    [
      'Windows-1251',
      '2f2f20cff0e8e2e5f22c20f7e8f2e0e5ec20f4e0e9eb20ede0f1f2f0eee5ea0a',
      '// Привет, читаем файл настроек\n',
    ],
    [
      'KOI8-R',
      '2f2f20f0d2c9d7c5d42c20dec9d4c1c5cd20c6c1cacc20cec1d3d4d2cfc5cb0a',
      '// Привет, читаем файл настроек\n',
    ],
  ])('is guessed for %s by what the bytes spell, and written in it', (encoding, hex, text) => {
    const file = Buffer.from(hex, 'hex')
    expect(decodeText(file)).toEqual({ encoding, text })
    expect(Buffer.from(encodeText({ encoding, text })).toString('hex')).toBe(hex)
    expect(misfit({ encoding, text })).toBe(undefined)
    expect(misfit({ encoding, text: `${text}😀` })).toBe('😀')
  })

  it.each([
    'café déjà vu, naïve Ärger über größere Öfen',
    'São Paulo, coração, ações',
    '¿Dónde está la biblioteca? ¡Aquí!',
    'Åäö ÅÄÖ åäö',
    'äöüÄÖÜß',
    'l’été à l’œuvre, «voilà»',
  ])('is a western one for western text: %s', (text) => {
    const file = encodeText({ encoding: 'Windows-1252', text })
    expect(decodeText(file)?.text).toBe(text)
  })

  it('of any bytes that decode is never lost when they are written again', () => {
    const lead = fc.integer({ min: 0x81, max: 0xfe })
    const file = fc.array(fc.oneof(lead, fc.integer({ min: 0x20, max: 0x7e })), {
      minLength: 4,
      maxLength: 60,
    })
    fc.assert(
      fc.property(file, (values) => {
        const decoded = decodeText(Uint8Array.from(values))
        if (decoded !== undefined) expect([...encodeText(decoded)]).toEqual(values)
      }),
    )
  })

  it.each([
    ['NULs at random offsets', bytes(0x61, 0, 0, 0x62, 0x63, 0)],
    ['small numbers of 16 bits', bytes(1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0)],
    ['eight bytes with one NUL', bytes(0x61, 0, 0x62, 0x63, 0x64, 0x65, 0x66, 0x67)],
    ['names separated by NULs', Buffer.from('abc\0def\0ghi\0jkl\0mno\0')],
    ['UTF-32', bytes(0xff, 0xfe, 0, 0, 0x61, 0, 0, 0)],
    ['half of a UTF-16 character', utf16('\ufeffa\ud83d')],
    ['UTF-16 that ends within a character', bytes(0xff, 0xfe, 0x61)],
    [
      'control characters beyond ASCII',
      bytes(...Array.from({ length: 100 }, (_, i) => (i % 2 ? 0x02 : 0xe9))),
    ],
    ['UTF-8 words separated by NULs', Buffer.from('aa\0aé\0éa\0aaa')],
    ['UTF-8 with a damaged byte', Buffer.concat([Buffer.from('äöü'), bytes(0xff)])],
  ])('is not guessed for %s', (_, file) => {
    expect(decodeText(file)).toBe(undefined)
  })

  it('is not needed to read damaged UTF-8', () => {
    expect(decodeDamaged(Buffer.concat([Buffer.from('äöü'), bytes(0xff)]))).toBe('äöü\ufffd')
    expect(decodeDamaged(bytes(0x61, 0))).toBe(undefined)
  })
})

const word = fc.string({ minLength: 2, unit: fc.constantFrom('a', 'Z', '7', ' ', 'é', '文', '😀') })

sizedIt.each<readonly [string, fc.Arbitrary<Buffer>]>([
  ['text without NULs', word.map((text) => Buffer.from(text))],
  ['words separated by NULs', fc.array(word, { minLength: 1 }).map((words) => Buffer.from(words.join('\0')))],
  [
    'bytes with few NULs',
    fc
      .uint8Array({ min: 1, minLength: 17, maxLength: 400 })
      .chain((file) =>
        fc
          .array(fc.nat(file.length - 1), { maxLength: Math.floor(file.length / 9) })
          .map((places) => Buffer.from(file.map((byte, at) => (places.includes(at) ? 0 : byte)))),
      ),
  ],
])('does not take %s for UTF-16', (_, files) => {
  fc.assert(
    fc.property(files, (file) => {
      const marked = file[0] === 0xff || file[0] === 0xfe
      expect(String(marked ? undefined : decodeText(file)?.encoding)).not.toMatch(/^UTF-16/)
    }),
    { numRuns: sized(2_000, 300) },
  )
})

it('detects UTF-16 of Latin text without a mark, in either byte order', () => {
  const text = fc.string({ minLength: 3, unit: fc.constantFrom('a', 'Z', '7', ' ', '\n', 'é') })
  fc.assert(
    fc.property(text, (text) => {
      expect(decodeText(utf16(text))).toEqual({ encoding: 'UTF-16LE', text })
      expect(decodeText(utf16(text).swap16())).toEqual({ encoding: 'UTF-16BE', text })
    }),
  )
})

sizedIt('encodes decoded text to the same bytes', () => {
  const text = fc.string({ unit: fc.constantFrom('a', '\r\n', 'é', '文', '😀', '\ufeff', '€') })
  const file = fc.oneof(
    fc.uint8Array({ maxLength: 40 }),
    fc.uint8Array({ min: 0x20, maxLength: 40 }),
    text.map((text) => Buffer.from(text)),
    text.map((text) => utf16(`\ufeff${text}`)),
    text.map((text) => utf16(`plain ${text}`).swap16()),
  )
  fc.assert(
    fc.property(file, (file) => {
      const decoded = decodeText(file)
      if (decoded === undefined) return
      expect(misfit(decoded)).toBe(undefined)
      expect(Buffer.compare(encodeText(decoded), file)).toBe(0)
    }),
    { numRuns: sized(1_000, 200) },
  )
})

it.each<readonly [Encoding, string, string | undefined]>([
  ['UTF-8', '\ud83d\ude00', undefined],
  ['UTF-8', 'a\ud83d', '\ud83d'],
  ['UTF-16LE', '\ude00', '\ude00'],
  ['Latin-1', 'é\x80', undefined],
  ['Latin-1', 'é€', '€'],
  ['Windows-1252', 'é€', undefined],
  ['Windows-1252', '€→', '→'],
  ['Windows-1252', '\x80', '\x80'],
])('finds what %s lacks of %j', (encoding, text, character) => {
  expect(misfit({ encoding, text })).toBe(character)
})
