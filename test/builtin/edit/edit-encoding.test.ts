import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createToolbox, type Toolbox } from '../toolbox.ts'
import { changes } from './changes.ts'

let toolbox: Toolbox
beforeEach(async () => {
  toolbox = await createToolbox()
})
afterEach(() => toolbox.close())

const { putRead, edit } = changes(() => toolbox)

describe('the encoding of a file', () => {
  it.each([
    ['Latin-1', 'caf\xe9 au lait', 'latin1', Buffer.alloc(0)],
    ['UTF-16LE', 'café – au lait', 'utf16le', Buffer.from([0xff, 0xfe])],
    ['UTF-8', 'café – au lait', 'utf8', Buffer.from([0xef, 0xbb, 0xbf])],
  ] as const)('TOOL-310: keeps a file in %s, with its byte order mark', async (_, text, encoding, mark) => {
    await putRead('a.txt', Buffer.concat([mark, Buffer.from(text, encoding)]))
    expect((await edit('a.txt', 'café', 'thé')).isError).toBe(false)
    const after = Buffer.concat([mark, Buffer.from(text.replace('café', 'thé'), encoding)])
    expect(after.equals(await readFile(join(toolbox.cwd, 'a.txt')))).toBe(true)
  })

  it('TOOL-310: keeps the bytes of Shift-JIS when ASCII is changed', async () => {
    const name = [0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]
    await putRead('a.txt', Buffer.from([...Buffer.from('lang = "'), ...name, ...Buffer.from('" # old\n')]))
    expect((await edit('a.txt', '# old', '# new')).isError).toBe(false)
    const after = [...Buffer.from('lang = "'), ...name, ...Buffer.from('" # new\n')]
    expect([...(await readFile(join(toolbox.cwd, 'a.txt')))]).toEqual(after)
  })

  it.each([
    [
      'Shift_JIS',
      '232082b182ea82cd83658358836782c582b70a',
      'テスト',
      '試験',
      '232082b182ea82cd8e8e8cb182c582b70a',
    ],
    ['GBK', '2320b6c1c8a1c5e4d6c3cec4bcfe0a', '配置', '设置', '2320b6c1c8a1c9e8d6c3cec4bcfe0a'],
    [
      'EUC-KR',
      '2320bcb3c1a420c6c4c0cfc0bb20c0d0b4c2b4d90a',
      '설정',
      '구성',
      '2320b1b8bcba20c6c4c0cfc0bb20c0d0b4c2b4d90a',
    ],
    [
      'Windows-1251',
      '2320f7e8f2e0e5ec20f4e0e9eb20ede0f1f2f0eee5ea0a',
      'файл',
      'каталог',
      '2320f7e8f2e0e5ec20eae0f2e0ebeee320ede0f1f2f0eee5ea0a',
    ],
  ])(
    'edits a file in %s in its encoding, and never mixes another into it',
    async (encoding, before, from, to, after) => {
      await putRead('a.txt', Buffer.from(before, 'hex'))
      expect((await toolbox.call('read', { path: 'a.txt' })).text).toContain(
        `[file is ${encoding}, a guess by its bytes`,
      )
      expect((await edit('a.txt', from, to)).isError).toBe(false)
      expect((await readFile(join(toolbox.cwd, 'a.txt'))).toString('hex')).toBe(after)
      expect((await edit('a.txt', to, 'naïve 😀')).text).toContain(
        `does not exist in ${encoding}, its encoding`,
      )
      expect((await readFile(join(toolbox.cwd, 'a.txt'))).toString('hex')).toBe(after)
    },
  )

  it('TOOL-310: refuses characters that the encoding of the file lacks', async () => {
    await putRead('latin', Buffer.from('caf\xe9', 'latin1'))
    expect((await edit('latin', 'café', '→')).text).toBe(
      'latin was not changed: → (U+2192) does not exist in Latin-1, its encoding; do without, or convert the file through bash (iconv) first',
    )
    await putRead('utf8', 'cup')
    expect((await edit('utf8', 'cup', 'half \ud83d')).text).toBe(
      'utf8 was not changed: the new text holds half a character (U+D83D)',
    )
  })

  it('TOOL-310: refuses damaged UTF-8, and keeps its bytes', async () => {
    const bytes = Buffer.concat([Buffer.from('äöü au lait '), Buffer.from([0xff])])
    await putRead('a.txt', bytes)
    expect((await edit('a.txt', 'au', 'sans')).text).toBe(
      'a.txt was not changed: it is not clean text; change it through bash',
    )
    expect(bytes.equals(await readFile(join(toolbox.cwd, 'a.txt')))).toBe(true)
  })
})

describe('in any encoding', () => {
  it('keeps the bytes outside the match', async () => {
    const encodings = {
      utf8: (text: string) => Buffer.from(text),
      marked: (text: string) => Buffer.from(`\ufeff${text}`),
      utf16le: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
      utf16be: (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
      latin1: (text: string) => Buffer.from(`${text}é`, 'latin1'),
    }
    const line = fc.constantFrom('one', 'é', '  ü = 1', '\ttab ', '')
    const text = fc
      .array(fc.tuple(line, fc.constantFrom('\n', '\r\n')), { maxLength: 6 })
      .map((lines) => lines.map((parts) => parts.join('')).join(''))
    const names = fc.constantFrom<keyof typeof encodings>('utf8', 'marked', 'utf16le', 'utf16be', 'latin1')
    await fc.assert(
      fc.asyncProperty(names, text, text, text, async (name, before, middle, after) => {
        const encode = encodings[name]
        await putRead('any.txt', encode(`${before}<${middle}>${after}`))
        const said = await edit('any.txt', `<${middle}>`, '<$&>')
        expect(said).toMatchObject({ isError: false, text: 'changed any.txt' })
        const bytes = await readFile(join(toolbox.cwd, 'any.txt'))
        expect(bytes.equals(encode(`${before}<$&>${after}`))).toBe(true)
      }),
      { numRuns: 60 },
    )
  })
})
